import { ApiError, type Connection, evolve, type NumberedEvent, type RunState } from '@contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { Chronicle } from '../model/chronicle.ts';
import { Tape } from '../model/tape.ts';
import { heardRefusal } from './ask.ts';
import { client } from './client.ts';
import { batchFrames } from './frames.ts';
import { carryRows } from './rows.ts';
import { seen, whileSeen } from './seen.ts';
import { noteLock } from './server.ts';

export interface Feed {
  id: string;
  /** Null until the run is there. */
  state: RunState | null;
  error: Error | null;
  connection: Connection | 'connecting';
  /** Counts what the chronicle, which is changed in place, has taken in. */
  version: number;
  chronicle: Chronicle;
  tape: Tape;
  /** The first sequence number that came in while the page watched. */
  liveFrom: number;
}
export type FeedStore = StoreApi<Feed>;

const page = 2000;
/** How many events are taken in before the page may draw again. */
const slice = 500;

/**
 * Follows one run. First what it is now; then every event as it is written, folded by the same `evolve` as
 * everywhere, once a frame; and meanwhile, from its beginning, what the page shows of the past.
 */
export function openFeed(id: string): { store: FeedStore; close(): void } {
  const chronicle = new Chronicle();
  const tape = new Tape();
  const ending = new AbortController();
  const { signal } = ending;
  const store = createStore<Feed>(() => ({
    id,
    state: null,
    error: null,
    connection: 'connecting',
    version: 0,
    chronicle,
    tape,
    liveFrom: Number.POSITIVE_INFINITY,
  }));
  const early: NumberedEvent[] = [];
  const record = (event: NumberedEvent) => {
    if (event.seq !== tape.last + 1) return;
    chronicle.add(event);
    tape.push(event);
  };
  const frames = batchFrames<NumberedEvent>((batch) => {
    let { state } = store.getState();
    if (state === null) return;
    for (const event of batch) {
      if (event.seq <= state.seq) continue;
      state = evolve(state, event);
      if (event.event.type === 'request-refused') heardRefusal(id, event.event, state);
      if (chronicle.complete) record(event);
      else early.push(event);
    }
    store.setState({ state, version: chronicle.version });
  });

  async function recall(upTo: number): Promise<void> {
    while (!signal.aborted && tape.last < upTo) {
      const { events } = await client.getEvents(id, { after: tape.last, limit: page });
      if (events.length === 0) break;
      for (let at = 0; at < events.length && !signal.aborted; at += slice) {
        for (const event of events.slice(at, at + slice)) record(event);
        if (events.length > slice) await nextTurn();
      }
    }
    if (signal.aborted) return;
    for (const event of early) record(event);
    chronicle.complete = true;
    store.setState({ version: chronicle.version + 1 });
  }

  async function follow(): Promise<void> {
    const found = await untilDone(
      () => client.getRun(id),
      signal,
      (error) => store.setState({ error }),
    );
    if (found === null || signal.aborted) return;
    const { state, seq } = found;
    store.setState({ state, liveFrom: seq + 1, error: null });
    void untilDone(() => recall(seq), signal).catch(() => undefined);
    let after = seq;
    while (!signal.aborted) {
      const away = whileSeen(signal);
      const rows = carryRows();
      const onConnection = (connection: Connection) => {
        store.setState({ connection });
        rows.onConnection(connection);
      };
      const { onRow } = rows;
      try {
        for await (const event of client.watchRun(id, { after, signal: away, onConnection, onRow })) {
          after = event.seq;
          frames.push(event);
        }
      } finally {
        rows.end();
      }
      await seen(signal);
    }
  }

  follow().catch((error: unknown) => {
    noteLock(error);
    if (!signal.aborted) store.setState({ error: asError(error) });
  });
  return {
    store,
    close() {
      ending.abort();
      frames.stop();
    },
  };
}

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Waits for a server that is away for a while; what it refuses is thrown. Null where the signal aborted first. */
async function untilDone<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onAway: (error: Error) => void = () => undefined,
): Promise<T | null> {
  for (let pause = 300; !signal.aborted; pause = Math.min(5000, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
      onAway(asError(error));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}
