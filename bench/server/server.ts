import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultOptions, hashPlan, type Plan, type RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf, type Store } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { median, type Row } from '../row.ts';
import { memoryOf, type Serving, startServer } from './serving.ts';

const driver = { pid: process.pid, host: 'bench', boot: 'bench' };
const RESTING = 1000;
const IDLE = 500;
const LISTENING = 100;
const SAMPLES = 40;

const plan: Plan = {
  goal: 'measure',
  shell: 'bash',
  revision: 0,
  steps: Array.from({ length: 20 }, (_, n) => ({
    id: `s${n}`,
    title: `Step ${n}`,
    action: { kind: 'run-command', command: `echo ${n}` },
  })),
};

async function addRuns(store: Store<RunEvent>): Promise<void> {
  for (let n = 0; n < RESTING; n++) {
    const created: RunEvent = {
      v: 1,
      type: 'plan-created',
      at: n,
      plan,
      hash: hashPlan(plan),
      place: { host: 'bench', boot: 'bench', workspace: `/workspace/${n}` },
      options: defaultOptions,
    };
    await store.begin(`run${n}`, { kind: 'run', id: 'begin', events: [created] });
  }
}

interface Listener {
  heard(seq: number): Promise<number>;
  close(): void;
}

/** Reads one stream and notes when each event came. */
function listen({ url, token }: Serving, agent: Agent, path: string): Promise<Listener> {
  const times = new Map<number, number>();
  const waiting = new Map<number, (at: number) => void>();
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`));
      let rest = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const now = performance.now();
        rest += chunk;
        for (const [, id] of rest.matchAll(/^id: (\d+)$/gm)) {
          times.set(Number(id), now);
          waiting.get(Number(id))?.(now);
        }
        rest = rest.slice(rest.lastIndexOf('\n\n') + 1);
      });
      resolve({
        heard: (seq) =>
          new Promise((told) => {
            const at = times.get(seq);
            if (at === undefined) waiting.set(seq, told);
            else told(at);
          }),
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

/** How long from an append until a listener has it, for each of many listeners. */
async function latencies(listeners: Listener[], append: (n: number) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    // Not in step with anything that polls.
    await sleep(40 + ((n * 37) % 100));
    const began = performance.now();
    const seq = await append(n);
    const heard = await Promise.all(listeners.map((listener) => listener.heard(seq)));
    all.push(...heard.map((at) => at - began));
  }
  return all;
}

/** One server with a thousand resting runs: what it weighs with idle readers, and how soon readers hear. */
export async function benchServer(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(home, 'data'), driver });
  await addRuns(store);
  const serving = await startServer(home);
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  try {
    const empty = memoryOf(serving);
    const idle = await Promise.all(
      Array.from({ length: IDLE }, (_, n) => listen(serving, agent, `/api/runs/run${n}/stream`)),
    );
    await Promise.all(idle.map((listener) => listener.heard(1)));
    const full = memoryOf(serving);
    for (const listener of idle) listener.close();

    const listeners = await Promise.all(
      Array.from({ length: LISTENING }, () => listen(serving, agent, '/api/runs/run7/stream?after=1')),
    );
    const note = (n: number): RunEvent => ({ v: 1, type: 'step-offered', at: n, stepId: 's1' });
    const foreign = await latencies(listeners, async (n) => {
      const appended = await store.append('run7', { id: `note${n}`, events: [note(n)] });
      return appended.ok ? appended.seq : Number.NaN;
    });
    const own = await latencies(listeners, async () => {
      const answer = await fetch(`${serving.url}/api/runs/run7/requests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${serving.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ request: { type: 'pause-requested' } }),
      });
      return ((await answer.json()) as { seq: number }).seq;
    });
    for (const listener of listeners) listener.close();
    const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
    const streams = `${LISTENING} open streams`;
    return [
      {
        name: `append in another process → stream, median, ${streams}`,
        value: median(foreign),
        unit: 'ms',
        target: '< 50',
      },
      { name: `append in another process → stream, p99, ${streams}`, value: p99(foreign), unit: 'ms' },
      {
        name: `request over HTTP → stream, median, ${streams}`,
        value: median(own),
        unit: 'ms',
        target: '< 50',
      },
      { name: `request over HTTP → stream, p99, ${streams}`, value: p99(own), unit: 'ms' },
      {
        name: `memory with ${IDLE} idle streams and ${RESTING} resting runs`,
        value: full,
        unit: 'MB',
        target: '< 300',
      },
      { name: `memory with ${RESTING} resting runs and nobody looking`, value: empty, unit: 'MB' },
    ];
  } finally {
    agent.destroy();
    serving.child.kill('SIGTERM');
    await new Promise((resolve) => serving.child.once('close', resolve));
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}
