import type { Connection, RowChange, RunRow } from '@contract';
import type { Query } from '@tanstack/react-query';
import type { TaskRow } from '@tasks';
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
 * Changes of all that is listed. Browsers allow six connections to a server: a page that follows a run has its rows by the
 * same stream; of all other pages one reads the stream over all of them (whoever holds the lock) and tells the rest.
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
  const stop = useCarriers.subscribe(() => {
    const before = reading;
    look();
    // Another page may have told of it before the stream that has ended did, and nobody listened.
    if (reading !== null && reading !== before) refreshLists();
  });
  signal.addEventListener('abort', stop);
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
    if (message.connection !== 'open') return;
    // What happened while nobody listened is asked for anew: between two streams, too.
    if (before === 'lost') askAnew([]);
    else refreshLists();
    return;
  }
  if (useServer.getState().connection !== 'open') useServer.setState({ connection: 'open' });
  refreshLists(message.change);
}

type RowListener = (row: RunRow, before: RunRow['state'] | undefined) => void;
const listeners = new Set<RowListener>();
const states = new Map<string, RunRow['state']>();

/** Told of every run whose row changes while the page is open, with the state that it was last seen in. Returns the end of it. */
export function onRow(listener: RowListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const anyListeners = new Set<(row: RowChange['row']) => void>();
/** The same for rows of every kind. */
export function onAnyRow(listener: (row: RowChange['row']) => void): () => void {
  anyListeners.add(listener);
  return () => void anyListeners.delete(listener);
}

const awaited = new WeakSet<Query>();
/**
 * Has all under this key asked for again. What has no answer yet is not asked for twice, and the one that is under way may be
 * older than what has just happened: it is asked for again after that.
 */
function askAnew(queryKey: readonly string[]): void {
  void queries.invalidateQueries({ queryKey });
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || awaited.has(query)) continue;
    awaited.add(query);
    const again = () => {
      awaited.delete(query);
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    query.promise?.then(again, again);
  }
}

let due: ReturnType<typeof setTimeout> | undefined;
/** Keys of what is to be asked for anew. */
const stale = new Map<string, readonly string[]>();
const refresh = (...key: string[]) => void stale.set(key.join('/'), key);
const everything = [
  'runs',
  'chats',
  'projects',
  'tasks',
  'task',
  'agent-run',
  'agent-runs',
  'schedules',
  'guarded',
  'guarded-session',
];
/** Lists are patched at once where the row is in them, and asked for anew a moment later. */
function refreshLists(change?: RowChange): void {
  if (change === undefined) for (const list of everything) refresh(list);
  else {
    for (const listener of anyListeners) listener(change.row);
    takeRow(change.row);
  }
  refresh('waiting');
  // However much happens, they are asked for a few times a second and not more.
  if (due !== undefined) return;
  due = setTimeout(() => {
    due = undefined;
    for (const queryKey of stale.values()) askAnew(queryKey);
    stale.clear();
  }, 120);
}

function takeRow(row: RowChange['row']): void {
  switch (row.kind) {
    case 'run': {
      const before = states.get(row.id);
      states.set(row.id, row.state);
      for (const listener of listeners) listener(row, before);
      patch('runs', row);
      refresh('related');
      break;
    }
    case 'chat':
      patch('chats', row);
      break;
    case 'project':
      refresh('projects');
      break;
    case 'schedule':
      refresh('schedules');
      break;
    case 'task':
      refresh('task', row.id);
      patchTask(row);
      break;
    case 'guard':
      refresh('guarded');
      refresh('guarded-session', row.id);
      break;
    case 'agent-run':
      refresh('agent-run', row.id);
      refresh('agent-runs');
      refresh('task', row.task);
      break;
  }
}

/** An answer that is under way may be older than the row, and comes over it. */
const isAskedFor = (list: string): boolean => queries.isFetching({ queryKey: [list] }) > 0;

/** The list holds all tasks: one that is not in it is new. */
function patchTask(row: TaskRow): void {
  queries.setQueryData<TaskRow[]>(['tasks'], (tasks) => {
    if (tasks === undefined) return tasks;
    return tasks.some(({ id }) => id === row.id)
      ? tasks.map((known) => (known.id === row.id ? row : known))
      : [row, ...tasks];
  });
  if (isAskedFor('tasks')) refresh('tasks');
}

interface Pages {
  pages: Partial<Record<'runs' | 'chats', { id: string }[]>>[];
}

/** The row as it is now, in every list that has it. Runs are counted by state and found by it: they are asked for anew. */
function patch(list: 'runs' | 'chats', row: RowChange['row']): void {
  let isKnown = false;
  queries.setQueriesData<Pages>({ queryKey: [list] }, (data) => {
    if (data === undefined || !('pages' in data)) return data;
    if (!data.pages.some((page) => page[list]?.some(({ id }) => id === row.id))) return data;
    isKnown = true;
    const pages = data.pages.map((page) => ({
      ...page,
      [list]: page[list]?.map((known) => (known.id === row.id ? row : known)) ?? [],
    }));
    return { ...data, pages };
  });
  if (list === 'runs' || !isKnown || isAskedFor(list)) refresh(list);
}
