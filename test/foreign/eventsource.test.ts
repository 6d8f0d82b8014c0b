import { describe, expect, it, onTestFinished } from 'vitest';
import { type Served, serve, source, token, untilState } from '../server/support.ts';
import { isFullLength } from '../support/scale.ts';
import { type Asked, expectRecorded, load, recorded } from './exchange.ts';

/** The widespread client of server-sent events, as much as is used of it. */
interface EventSourcePackage {
  EventSource: new (
    url: string,
    options: { fetch(url: URL | string, init: { headers: Record<string, string> }): Promise<object> },
  ) => {
    onmessage: ((message: { data: string; lastEventId: string }) => void) | null;
    close(): void;
  };
}

const finishedRun = async ({ client }: Served): Promise<{ path: string; last: number }> => {
  const { id } = await client.createRun({ source: source('echo one', 'echo two'), agreed: true });
  await untilState(client, id, 'done');
  return { path: `/api/runs/${id}/stream`, last: (await client.getRun(id)).seq };
};

/** What a stream says until it has said this. */
async function until(body: ReadableStream<Uint8Array>, said: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes(said)) return text;
  }
  throw new Error(`it ended without ${JSON.stringify(said)}: ${text}`);
}

/** The beginning of a stream, and then its end: somebody pulled the plug. */
async function cutBefore(id: number, body: ReadableStream<Uint8Array>): Promise<ReadableStream> {
  const text = await until(body, `id: ${id}\n`);
  return new Blob([text.slice(0, text.indexOf(`id: ${id}\n`))]).stream();
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

describe('the npm package eventsource follows a run', () => {
  it.runIf(isFullLength)('and misses nothing, and hears nothing twice, when it is cut off', async () => {
    const served = await serve();
    const { path, last } = await finishedRun(served);
    const { EventSource } = await load<EventSourcePackage>('eventsource');
    const asked: Asked[] = [];
    const heard: number[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const client = new EventSource(served.url + path, {
      async fetch(url, init) {
        asked.push({ method: 'GET', path: '/api/runs/{run}/stream', headers: { ...init.headers } });
        const authorization = `Bearer ${token}`;
        const response = await fetch(url, { ...init, headers: { ...init.headers, authorization } });
        const body = asked.length === 1 ? await cutBefore(4, response.body!) : response.body;
        const { status, headers, redirected } = response;
        return { url: response.url, status, headers, redirected, body };
      },
    });
    onTestFinished(() => client.close());
    client.onmessage = ({ lastEventId }) => {
      heard.push(Number(lastEventId));
      if (heard.at(-1) === last) resolve();
    };
    await promise;
    expect(heard).toEqual(upTo(last));
    expectRecorded('eventsource', asked);
  });

  it('as it was recorded: each of its requests is answered from where it was', async () => {
    const served = await serve();
    const { path, last } = await finishedRun(served);
    const asked = recorded<Asked[]>('eventsource');
    expect(asked.length).toBeGreaterThan(1);
    for (const { method, headers } of asked) {
      const response = await served.fetch(path, { method, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
      const text = await until(response.body!, `id: ${last}\n`);
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      const before = Number(headers['Last-Event-ID'] ?? 0);
      expect(ids).toEqual(upTo(last).slice(before));
    }
  });
});
