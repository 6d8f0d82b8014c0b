import type { Connection, RowChange, RunRow } from '@contract';
import { create } from 'zustand';
import { client, queries } from './client.ts';
import { noteLock, useServer } from './server.ts';

type Message = { change: RowChange } | { connection: Connection };

/** How many streams of this page bring rows along: with one, none of its own is needed. */
const useCarriers = create<{ count: number }>(() => ({ count: 0 }));

/** What a stream that also carries rows tells. `end` when it carries them no more. */
export function carryRows() {
  useCarriers.setState(({ count }) => ({ count: count + 1 }));
  return {
    onRow: (change: RowChange) => take({ change }),
    onConnection: (connection: Connection) => take({ connection }),
    end: () => useCarriers.setState(({ count }) => ({ count: count - 1 })),
  };
}

/**
 * Changes of all runs. Browsers allow six connections to a server: a page that follows a run has its rows by the
 * same stream; of all other pages one reads the stream over all runs (whoever holds the lock) and tells the rest.
 */
export function watchRows(signal: AbortSignal): void {
  const channel = new BroadcastChannel('planwright.rows');
  signal.addEventListener('abort', () => channel.close());
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (useCarriers.getState().count === 0) take(data);
  };
  let reading: AbortController | null = null;
  const look = () => {
    const isNeeded = useCarriers.getState().count === 0;
    if (!isNeeded) reading?.abort();
    if (isNeeded === (reading !== null)) return;
    reading = isNeeded ? new AbortController() : null;
    if (reading !== null) readShared(channel, AbortSignal.any([signal, reading.signal]));
  };
  useCarriers.subscribe(look);
  look();
}

function readShared(channel: BroadcastChannel, signal: AbortSignal): void {
  const tell = (message: Message) => {
    if (signal.aborted) return;
    take(message);
    channel.postMessage(message);
  };
  const read = async () => {
    const onConnection = (connection: Connection) => tell({ connection });
    for await (const change of client.watchRows({ signal, onConnection })) tell({ change });
  };
  const locks = navigator.locks as LockManager | undefined;
  const done = locks === undefined ? read() : locks.request('planwright.rows', { signal }, read);
  done.catch((error: unknown) => {
    if (!signal.aborted && !noteLock(error)) useServer.setState({ connection: 'lost' });
  });
}

function take(message: Message): void {
  if ('connection' in message) {
    const before = useServer.getState().connection;
    useServer.setState({ connection: message.connection });
    // What happened while nobody listened is asked for anew.
    if (message.connection === 'open' && before === 'lost') void queries.invalidateQueries();
    if (message.connection === 'open' && before === 'connecting') refreshLists();
    return;
  }
  if (useServer.getState().connection !== 'open') useServer.setState({ connection: 'open' });
  refreshLists(message.change);
}

type RowListener = (row: RunRow, before: RunRow['state'] | undefined) => void;
const listeners = new Set<RowListener>();
const states = new Map<string, RunRow['state']>();

/** Told of every row that changes while the page is open, with the state that it was last seen in. Returns the end of it. */
export function onRow(listener: RowListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let due: ReturnType<typeof setTimeout> | undefined;
/** Lists are patched at once where the row is in them, and asked for anew a moment later. */
function refreshLists(change?: RowChange): void {
  if (change !== undefined && 'row' in change) {
    const { row } = change;
    const before = states.get(row.id);
    states.set(row.id, row.state);
    for (const listener of listeners) listener(row, before);
    queries.setQueriesData<{ pages: { runs: RunRow[]; next: string | null }[] }>(
      { queryKey: ['runs'] },
      (data) =>
        data === undefined ||
        !('pages' in data) ||
        !data.pages.some(({ runs }) => runs.some(({ id }) => id === row.id))
          ? data
          : {
              ...data,
              pages: data.pages.map((page) => ({
                ...page,
                runs: page.runs.map((known) => (known.id === row.id ? row : known)),
              })),
            },
    );
  }
  // However much happens, they are asked for a few times a second and not more.
  if (due !== undefined) return;
  due = setTimeout(() => {
    due = undefined;
    void queries.invalidateQueries({ queryKey: ['runs'] });
    void queries.invalidateQueries({ queryKey: ['waiting'] });
    void queries.invalidateQueries({ queryKey: ['related'] });
  }, 120);
}
