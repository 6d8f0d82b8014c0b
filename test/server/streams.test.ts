import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  type Client,
  createClient,
  fold,
  type NumberedEvent,
  type PlanEvent,
  type RunEvent,
  type WholePlan,
} from '../../src/core/contract/index.ts';
import { eventually } from '../support/processes.ts';
import { appendTo } from '../support/raw-store.ts';
import { type Served, serve, source, tempFolder, token, untilState } from './support.ts';

/** A proxy that cuts connections after so many bytes, in the middle of whatever is being said. */
async function cuttingProxy(
  portOf: () => number,
  nextCut: () => number,
): Promise<{ url: string; cuts: () => number }> {
  let cuts = 0;
  const open = new Set<Socket>();
  const proxy: Server = createServer((near) => {
    const far = connect(portOf(), '127.0.0.1');
    let left = nextCut();
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      near.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      cuts += 1;
      near.destroySoon();
      far.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    proxy.close();
  });
  const { port } = proxy.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, cuts: () => cuts };
}

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const note = (n: number): RunEvent => ({
  v: 1,
  type: 'step-offered',
  at: n,
  stepId: `s${n} ${'x'.repeat(n % 300)}`,
});

const runOfNotes = async ({ client }: Served): Promise<string> =>
  (await client.createRun({ source: source('true') })).id;

/** Quick, so that a test waits for nothing but the server. */
const hasty = (baseUrl: string): Client =>
  createClient({
    baseUrl,
    token,
    fetch,
    pause: (_ms, signal) => new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : 5)),
  });

it('no event is left out or told twice, however often the connection is cut and the server restarted', async () => {
  const home = tempFolder('home');
  const workspace = tempFolder('work');
  let served = await serve({ home, workspace });
  const id = await runOfNotes(served);
  const random = seeded(4711);
  const proxy = await cuttingProxy(
    () => served.server.port,
    // Some in the middle of the first batch, some many batches later.
    () => Math.floor(random() < 0.6 ? 200 + random() * 6000 : 6000 + random() * 60_000),
  );
  const host = new URL(proxy.url).host;
  await served.stop();
  served = await serve({ home, workspace, allowedHosts: [host] });

  const total = 2500;
  const seen: NumberedEvent[] = [];
  const stop = new AbortController();
  const lost: string[] = [];
  const reading = (async () => {
    const options = { signal: stop.signal, onConnection: (state: string) => void lost.push(state) };
    for await (const numbered of hasty(proxy.url).watchRun(id, options)) {
      seen.push(numbered);
      if (numbered.event.type === 'step-offered' && numbered.event.at === total) return;
    }
  })();
  for (let n = 1; n <= total; ) {
    const count = Math.min(total - n + 1, 1 + Math.floor(random() * 40));
    const events = Array.from({ length: count }, (_, i) => note(n + i));
    await appendTo(served.app, id, { id: `notes-${n}`, events });
    n += count;
    if (random() < 0.06) {
      await served.stop();
      served = await serve({ home, workspace, allowedHosts: [host] });
    }
  }
  await reading;
  stop.abort();
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
  expect(proxy.cuts()).toBeGreaterThan(20);
  expect(lost.filter((state) => state === 'lost').length).toBeGreaterThan(20);
});

it('begins after any sequence number, by Last-Event-ID or by query, and goes on with what comes', async () => {
  const served = await serve();
  const id = await runOfNotes(served);
  await appendTo(served.app, id, { id: 'notes', events: [note(1), note(2), note(3)] });
  const last = (await served.client.getRun(id)).seq;
  const firstSeq = async (query: string, headers: Record<string, string> = {}) => {
    const { body } = await served.fetch(`/api/runs/${id}/stream${query}`, { headers });
    let text = '';
    for await (const chunk of body!) {
      text += Buffer.from(chunk).toString();
      const found = /^id: (\d+)$/m.exec(text);
      if (found) return Number(found[1]);
    }
    throw new Error('the stream ended');
  };
  expect(await firstSeq('')).toBe(1);
  expect(await firstSeq('?after=2')).toBe(3);
  expect(await firstSeq('?after=2', { 'last-event-id': `${last - 1}` })).toBe(last);
  const coming = firstSeq(`?after=${last}`);
  await appendTo(served.app, id, { id: 'more', events: [note(4)] });
  expect(await coming).toBe(last + 1);
  expect((await served.fetch(`/api/runs/${id}/stream`, { headers: { 'last-event-id': 'x' } })).status).toBe(
    400,
  );
});

it('a reader that does not read costs a batch, not what is waiting for it', async () => {
  const served = await serve();
  const id = await runOfNotes(served);
  const big = 'y'.repeat(16 * 1024);
  const batches = 96;
  for (let n = 0; n < batches; n++) {
    const events = Array.from(
      { length: 16 },
      (_, i): RunEvent => ({ v: 1, type: 'step-offered', at: n, stepId: `${i}${big}` }),
    );
    await appendTo(served.app, id, { id: `b${n}`, events });
  }
  const all = batches * 16 * big.length;
  const { streams } = served.server;
  const before = streams.handedOut();
  const slow = connect(served.server.port, '127.0.0.1').pause();
  onTestFinished(() => void slow.destroy());
  slow.write(
    `GET /api/runs/${id}/stream HTTP/1.1\r\nHost: 127.0.0.1:${served.server.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await eventually(() => streams.handedOut() > before, 'the stream begins');
  // A second reader takes all of it; by then the first has been given all that it is going to be given.
  let taken = 0;
  const stop = new AbortController();
  let last = 0;
  for await (const { seq, event } of served.client.watchRun(id, { signal: stop.signal })) {
    if (seq !== last + 1) throw new Error(`${seq} came after ${last}`);
    last = seq;
    if (event.type === 'step-offered' && ++taken === batches * 16) break;
  }
  stop.abort();
  const forSlow = streams.handedOut() - before - all;
  // What the kernel buffers for a socket, and one batch of 64 events.
  expect(forSlow).toBeLessThan(12 * 1024 * 1024);
  expect(all).toBeGreaterThanOrEqual(24 * 1024 * 1024);
  // And it is no worse off for it: once it reads, it gets everything.
  let got = 0;
  slow.on('data', (chunk: Buffer) => {
    got += chunk.length;
  });
  slow.resume();
  await eventually(() => got > all, 'the slow reader gets everything');
});

it('streams that are left are forgotten; a comment now and then shows that both ends live', async () => {
  const served = await serve({ heartbeatMs: 20 });
  const id = await runOfNotes(served);
  const stop = new AbortController();
  const { body } = await served.fetch(`/api/runs/${id}/stream`, { signal: stop.signal });
  let text = '';
  for await (const chunk of body!) {
    text += Buffer.from(chunk).toString();
    if (text.split(': still here').length > 2) break;
  }
  stop.abort();
  await eventually(() => served.server.streams.count() === 0, 'the stream is forgotten');
});

it('the stream over all runs tells rows as they change, and what changed while a reader was away', async () => {
  const served = await serve();
  const stop = new AbortController();
  const rows = served.client.watchRows({ signal: stop.signal })[Symbol.asyncIterator]();
  const first = rows.next();
  await eventually(() => served.server.streams.count() === 1, 'somebody watches');
  const { id } = await served.client.createRun({ source: source('true') });
  const { value } = (await first) as { value: { cursor: string; row: { id: string } } };
  expect(value.row).toMatchObject({ id, state: 'agreeing' });
  stop.abort();
  await served.client.request(id, { type: 'plan-decided', revision: 0, decision: 'cancel' });
  for await (const { row } of served.client.watchRows({ after: value.cursor })) {
    expect(row.id).toBe(id);
    if (row.state === 'cancelled') break;
  }
});

const from0 = (events: readonly PlanEvent[]): number =>
  events.find(({ event }) => event.type === 'plan-revised')!.seq - 1;

/** The first message of a stream about such an event, read as any reader of SSE would. */
async function firstOf(response: Response, type: string): Promise<unknown> {
  let said = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    const found = said
      .split('\n\n')
      .slice(0, -1)
      .flatMap((message) => message.split('\n').filter((line) => line.startsWith('data:')))
      .map((line) => JSON.parse(line.slice(5)) as NumberedEvent)
      .find(({ event }) => event?.type === type);
    if (found !== undefined) return found;
  }
  return null;
}

it('events that change the plan carry all of it, and every step keeps what became of it', async () => {
  const served = await serve();
  const { client } = served;
  const { id } = await client.createRun({ source: source('true', 'false', 'true'), agreed: true });
  await untilState(client, id, 'failed');
  const { state } = await client.getRun(id);
  const { steps, revision } = state.plan!;
  const step = { ...steps[1]!, action: { kind: 'run-command' as const, command: 'true' } };
  const inserted = { ...steps[0]!, id: 'new', title: 'Before that' };
  await client.request(id, {
    type: 'edit-requested',
    baseRevision: revision,
    reason: 'it was false',
    patch: [
      { op: 'replace', stepId: step.id, step },
      { op: 'insert', before: step.id, steps: [inserted] },
    ],
  });
  await client.executePlan(id, 'planner');
  const events: PlanEvent[] = [];
  for await (const event of client.planEvents(id)) {
    events.push(event);
    if (event.event.type === 'run-finished') break;
  }
  const plans = events.flatMap(({ event }) => ('plan' in event ? [event.plan as WholePlan] : []));
  expect(
    plans.map((plan) => plan.steps.map(({ id: of, status, index }) => `${index} ${of} ${status}`)),
  ).toEqual([
    ['0 s1 pending', '1 s2 pending', '2 s3 pending'],
    ['0 s1 done', '1 new pending', expect.stringMatching(/^2 s2 /), '3 s3 pending'],
  ]);
  // Readers without the client ask for the same.
  const after = from0(events);
  for (const read of [client.getEvents, client.getStreamEvents]) {
    expect((await read(id, { after, expand: 'plan' })).events).toEqual(events.slice(after));
  }
  for (const kind of ['runs', 'streams']) {
    const stream = await served.fetch(`/api/${kind}/${id}/stream?after=${after}&expand=plan`);
    expect(await firstOf(stream, 'plan-revised')).toEqual(events[after]);
  }
  const later: PlanEvent[] = [];
  const from = from0(events);
  for await (const event of client.planEvents(id, { after: from })) {
    later.push(event);
    if (event.event.type === 'run-finished') break;
  }
  expect(later).toEqual(events.slice(from));
});

it('a plan whose secrets are hidden still folds', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  const served = await serve({ secret });
  const { client } = served;
  const { id } = await client.createRun({
    source: { text: `goal: say ${secret}\nplan: [{step: a, action: RUN_COMMAND false}]`, kind: 'plan' },
    agreed: true,
  });
  await untilState(client, id, 'failed');
  const { steps } = (await client.getRun(id)).state.plan!;
  await client.request(id, {
    type: 'edit-requested',
    baseRevision: 0,
    reason: 'mend',
    patch: [{ op: 'insert', before: null, steps: [{ ...steps[0]!, id: 'b', title: 'b' }] }],
  });
  const events: NumberedEvent[] = [];
  for await (const numbered of client.watchRun(id)) {
    events.push(numbered);
    if (numbered.event.type === 'plan-revised') break;
  }
  const folded = fold(events);
  expect(folded.unreadable).toEqual([]);
  expect(folded.plan).toMatchObject({ goal: 'say [secret]', steps: [{ id: 's1' }, { id: 'b' }] });
});
