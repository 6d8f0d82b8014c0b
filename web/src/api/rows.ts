import type { Connection, RowChange, RunRow } from '@contract';
import { create } from 'zustand';
import { client, queries } from './client.ts';

/** Whether the server answers, and whether this page has seen it answer at all. */
export const useServer = create<{ connection: Connection | 'connecting'; changed: number }>(() => ({
  connection: 'connecting',
  changed: 0,
}));

type Message = { change: RowChange } | { connection: Connection };

/**
 * Changes of all runs. Browsers allow six connections to a server, so of all open pages one reads the stream
 * (whoever holds the lock) and tells the others.
 */
export function watchRows(signal: AbortSignal): void {
  const channel = new BroadcastChannel('planwright.rows');
  signal.addEventListener('abort', () => channel.close());
  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data);
  const tell = (message: Message) => {
    take(message);
    if (!signal.aborted) channel.postMessage(message);
  };
  const read = async () => {
    const onConnection = (connection: Connection) => tell({ connection });
    for await (const change of client.watchRows({ signal, onConnection })) tell({ change });
  };
  const locks = navigator.locks as LockManager | undefined;
  const reading = locks === undefined ? read() : locks.request('planwright.rows', { signal }, read);
  reading.catch(() => {
    if (!signal.aborted) useServer.setState({ connection: 'lost' });
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

let due: ReturnType<typeof setTimeout> | undefined;
/** Lists are patched at once where the row is in them, and asked for anew a moment later. */
function refreshLists(change?: RowChange): void {
  if (change !== undefined && 'row' in change) {
    const { row } = change;
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
  }, 120);
}
