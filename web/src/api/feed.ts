import { type Connection, evolve, fullRun, type NumberedEvent, type RunState } from '@contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { Chronicle } from '../model/chronicle.ts';
import { Tape } from '../model/tape.ts';
import { heardRefusal } from './ask.ts';
import { client } from './client.ts';
import { batchFrames } from './frames.ts';
import { carryRows } from './rows.ts';
import { seen, whileSeen } from './seen.ts';
import { noteLock } from './server.ts';
import { asError, untilDone } from './until-done.ts';

export interface Feed {
  id: string;
  /** Null until the run is there. */
  state: RunState | null;
  error: Error | null;
  connection: Connection | 'connecting';
  /** Counts what the chronicle, which is changed in place, has taken in. */
  version: number;
  /** Of the events that are known: those since the page was opened, and of the past what somebody wanted to see. */
  chronicle: Chronicle;
  tape: Tape;
  /** The first sequence number that came in while the page watched. */
  liveFrom: number;
  /** Reads some of the past that is not known yet; nothing where all of it is, or where some is being read. */
  earlier(): void;
  /** Reads all of the past. */
  whole(): void;
}
export type FeedStore = StoreApi<Feed>;

/** So many events of the past are read at first, then as many as are known, and never more than this at once. */
const few = 1000;
const most = 5000;

/**
 * Follows one run. First what it is now; then every event as it is written, folded by the same `evolve` as
 * everywhere, once a frame; and, where it is looked at, the past from its end to its beginning.
 */
export function openFeed(id: string): { store: FeedStore; close(): void } {
  const ending = new AbortController();
  const { signal } = ending;
  let wantsAll = false;
  let isReading = false;
  const store = createStore<Feed>(() => ({
    id,
    state: null,
    error: null,
    connection: 'connecting',
    version: 0,
    chronicle: new Chronicle(),
    tape: new Tape(),
    liveFrom: Number.POSITIVE_INFINITY,
    earlier: () => void recall(),
    whole: () => {
      wantsAll = true;
      void recall();
    },
  }));
  const frames = batchFrames<NumberedEvent>((batch) => {
    let { state } = store.getState();
    const { chronicle, tape } = store.getState();
    if (state === null) return;
    for (const event of batch) {
      if (event.seq <= state.seq) continue;
      state = evolve(state, event);
      if (event.event.type === 'request-refused') heardRefusal(id, event.event, state);
      if (tape.push(event)) chronicle.add(event);
    }
    store.setState(({ version }) => ({ state, version: version + 1 }));
  });

  async function recall(): Promise<void> {
    const { tape, state } = store.getState();
    if (isReading || state === null || tape.isWhole) return;
    isReading = true;
    try {
      do {
        const size = Math.min(tape.before, wantsAll ? most : Math.max(few, tape.events.length), most);
        const query = { after: tape.before - size, limit: size };
        const read = await untilDone(() => client.getEvents(id, query), signal);
        if (read === null || signal.aborted) return;
        tape.unshift(read.events);
        const chronicle =
          wantsAll && !tape.isWhole ? {} : { chronicle: Chronicle.of(tape.events, tape.isWhole) };
        store.setState(({ version }) => ({ ...chronicle, version: version + 1 }));
        if (read.events.length < size) return;
      } while (wantsAll && !tape.isWhole);
    } catch (error) {
      // The server says no: it would say it again.
      noteLock(error);
      return;
    } finally {
      isReading = false;
    }
    // Somebody may have wanted all of it meanwhile.
    if (wantsAll) void recall();
  }

  async function follow(): Promise<void> {
    const found = await untilDone(
      () => client.lookAtRun(id),
      signal,
      (error) => store.setState({ error }),
    );
    if (found === null || signal.aborted) return;
    const { seq } = found;
    const state = fullRun(found.state);
    const tape = new Tape(seq);
    store.setState({ state, tape, chronicle: Chronicle.of([], seq === 0), liveFrom: seq + 1, error: null });
    if (wantsAll) void recall();
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
