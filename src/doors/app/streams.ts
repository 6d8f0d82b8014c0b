import { setImmediate } from 'node:timers/promises';
import type { Actor, Scope, StartedBy, StreamRow } from '../../core/contract/index.ts';
import type {
  AnyEvent,
  AnyKind,
  Children,
  CrashPoint,
  Folded,
  Folds,
  Kinds,
  Store,
} from '../../core/stream/index.ts';
import { createFolds, drive } from '../../core/stream/index.ts';
import { systemClock } from '../../world/store/index.ts';
import { type Asker, limitedBy, mustAllow, ownerAt } from './asker.ts';
import type { Asking, Drivable, HowDriven, OpenedMachine, Rested } from './drivable.ts';
import { AppError } from './errors.ts';
import { newKey } from './ids.ts';

export type { Asking, Drivable, OpenedMachine, Rested } from './drivable.ts';

type Readers =
  | 'read'
  | 'changed'
  | 'kindOf'
  | 'lastSeq'
  | 'tail'
  | 'cursor'
  | 'changedSince'
  | 'changedAny'
  | 'list'
  | 'countStates'
  | 'row'
  | 'withPrefix'
  | 'due'
  | 'find';

/**
 * What people do with streams of any kind: look at them, ask something of them, and have them driven. Nothing else writes.
 * Rejects with an AppError where whoever asks may not.
 */
export interface AppStreams<E extends AnyEvent> extends Pick<Store<E>, Readers> {
  kinds: Kinds;
  /** What steps and models said, as it is kept. */
  output: Pick<Store<E>['output'], 'read' | 'errors' | 'follow'>;
  /** Folded to where it is now. Rejects with `no-such-stream`. */
  state(id: string): Promise<unknown>;
  /** The same, with how far that is and what kind it is of. */
  folded(id: string): Promise<Folded<unknown> & { kind: AnyKind }>;
  /**
   * The place of the request in the stream; its driver answers there. Whoever a run started is turned away, which is
   * written too.
   */
  request(id: string, body: { type: string }, asking: Asking): Promise<number>;
  /**
   * Throws an AppError where they may not, after it has been written into the stream that somebody whom a run started was
   * turned away: into that run, where they asked of none.
   */
  admit(asker: Asker, needed: Scope, asked: string, id?: string): Promise<void>;
  /** Drives until it rests. Losing the race for the claim is a normal answer; so is `full`, where so many runs are driven. */
  drive(id: string, how?: HowDriven): Promise<Rested>;
  /** Ends what is driven here, and resolves when nothing of it works any more: only then may others have its folders. */
  close(): Promise<void>;
}

export interface StreamsOptions<E extends AnyEvent> {
  store: Store<E>;
  drivables: readonly Drivable[];
  /** What of Planwright this process comes from. It then drives, and asks things of, what it began itself; decides nothing. */
  startedHere?: StartedBy | null;
  /** Streams that this process has begun. */
  begunHere?: Set<string>;
  crashPoint?: ((name: CrashPoint) => void | Promise<void>) | undefined;
}

export function createStreams<E extends AnyEvent>(given: StreamsOptions<E>): AppStreams<E> {
  const { store, drivables, crashPoint, startedHere = null, begunHere = new Set() } = given;
  const kinds: Kinds = new Map(drivables.map(({ kind }) => [kind.name, kind]));
  const find = async (id: string): Promise<Drivable> => drivableOf(id, await store.kindOf(id));
  const drivableOf = (id: string, name: string | null): Drivable => {
    const found = drivables.find(({ kind }) => kind.name === name);
    if (found !== undefined) return found;
    const kind = name === null ? '' : ` of a kind that is known here: it is a ${name}`;
    throw new AppError('no-such-stream', `there is no stream ${JSON.stringify(id)}${kind}`);
  };
  // One fold of each stream for everybody in this process: followers, drivers, views.
  const folds = new Map(drivables.map((drivable) => [drivable.kind.name, foldsOf(store, drivable)]));
  const foldsOfKind = ({ name }: AnyKind): Folds<unknown> => folds.get(name)!;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const folded = async (id: string) => {
    const { kind } = await find(id);
    return { kind, ...(await foldsOfKind(kind).at(id)) };
  };
  const append = async (id: string, key: string, event: unknown): Promise<number> => {
    // Beginning a stream has names of its own: a key may be used for both.
    const answer = await store.append(id, { id: `ask:${key}`, events: [event as E] });
    if (!answer.ok) throw new Error(`a request cannot be ${answer.why}`);
    return answer.seq;
  };

  /** A few words each time: a script that asks in a loop does not fill the journal. */
  const turnAway = async (id: string | null, { actor, from }: Asker, asked: string, message: string) => {
    const turnedAway = id === null ? undefined : kinds.get((await store.kindOf(id)) ?? '')?.turnedAway;
    if (id === null || from === undefined || turnedAway === undefined) return;
    const event = turnedAway({ by: actor, asked, from, message }, systemClock.now());
    const who = from.agent ?? `${from.run}:${from.service ?? from.step}`;
    await store.append(id, { id: `door:${who}:${asked}`, events: [event as E] });
  };
  const admit: AppStreams<E>['admit'] = async (asker, needed, asked, id) => {
    // Of what this process began it is the one that may ask, not whoever calls it from a run.
    const isOurs = asker.from === undefined && begunHere.has(id ?? '');
    const who = limitedBy(asker, asker.from ?? startedHere, isOurs ? 'ask' : 'read');
    try {
      mustAllow(who, needed);
    } catch (error) {
      await turnAway(id ?? who.from?.run ?? null, who, asked, (error as AppError).message);
      throw error;
    }
  };

  const children: Children = {
    async begin(child, kind, events) {
      // A conflict says that it has been begun before.
      const begun = await store.begin(child, { kind, id: `child:${child}`, events: events as E[] });
      if (begun.ok) begunHere.add(child);
    },
    async cancel(child, by) {
      const { kind } = await find(child);
      const key = `cancel:${child}`;
      await append(child, key, stamped(kind.cancel, by, key));
    },
  };

  /** With whether anybody drives what goes on. What waits for its turn has no driver for a moment. */
  const withDrivers = async <R extends StreamRow>(rows: readonly R[]): Promise<R[]> => {
    const going = rows.filter(({ goesOn, wakeAt }) => goesOn && wakeAt === null).map(({ id }) => id);
    const silent = going.length === 0 ? null : await store.silent(going);
    return rows.map((row) => {
      const heard = silent?.get(row.id);
      if (heard === undefined) return row;
      const isTurn = heard === null && systemClock.now() - row.updatedAt < TURN_MS;
      return isTurn ? row : { ...row, undrivenSince: Math.max(row.updatedAt, heard ?? 0) };
    });
  };

  /** One activation of a stream that is of this kind. */
  const activate = async (id: string, { kind, open }: Drivable, how: HowDriven): Promise<Rested> => {
    const { signal, mostRuns = null } = how;
    const shared = foldsOfKind(kind);
    const isLimited = mostRuns !== null && kind.name === 'run';
    const result = await store.claim(id, isLimited ? { kind: 'run', most: mostRuns } : undefined);
    if (!result.ok) {
      const { state, seq } = await shared.at(id);
      const by = result.why === 'claimed' ? { by: result.by } : {};
      return { why: result.why, state, seq, wakeAt: null, ...by };
    }
    const lost = eitherOf(result.claim.lost, closing.signal);
    const claim = { ...result.claim, lost: lost.signal };
    const driving = Promise.withResolvers<void>();
    underWay.add(driving.promise);
    let opened: OpenedMachine | null = null;
    try {
      // What is claimed is not removed: from here on the name means one stream.
      const from = await shared.at(id);
      const { incarnation } = from;
      opened = await open(id, from.state, children);
      const { busy, ...rested } = await drive(id, {
        machine: opened.machine,
        journal: store,
        claim,
        clock: systemClock,
        newId: newKey,
        from,
        onFolded: (now) => shared.offer(id, { ...now, incarnation }),
        ...(signal === undefined ? {} : { signal }),
        ...(crashPoint === undefined ? {} : { crashPoint }),
      });
      return busy === undefined ? rested : { ...rested, by: busy.by, busyWith: busy.stream };
    } finally {
      try {
        await opened?.close();
      } finally {
        await claim.release();
        lost.close();
        underWay.delete(driving.promise);
        driving.resolve();
      }
      shared.keep(id);
    }
  };

  return {
    read: store.read,
    changed: store.changed,
    kindOf: store.kindOf,
    lastSeq: store.lastSeq,
    tail: store.tail,
    cursor: store.cursor,
    changedSince: store.changedSince,
    changedAny: store.changedAny,
    list: async (query) => withDrivers(await store.list(query)),
    countStates: store.countStates,
    row: async <R extends StreamRow>(id: string) => {
      const row = await store.row<R>(id);
      return row === null ? null : (await withDrivers([row]))[0]!;
    },
    withPrefix: async (prefix, kind) => withDrivers(await store.withPrefix(prefix, kind)),
    due: store.due,
    find: store.find,
    kinds,
    output: store.output,
    state: async (id) => (await folded(id)).state,
    folded,
    async request(id, body, { by, key = newKey() }) {
      const { kind } = await find(id);
      const event = stamped(body, by.actor, key);
      if (!kind.isRequest(event)) throw new AppError('usage', `${body.type} is no request of a ${kind.name}`);
      await admit(by, kind.scopeOf(event), body.type, id);
      return append(id, key, event);
    },
    admit,
    async drive(id, how = {}) {
      const name = await store.kindOf(id);
      // A later version keeps streams of kinds that this one does not know: they are left to it.
      if (name !== null && !kinds.has(name))
        return { why: 'unreadable', state: null, seq: await store.lastSeq(id), wakeAt: null };
      if (!begunHere.has(id)) await admit(ownerAt('worker'), 'ask', 'drive', id);
      const drivable = drivableOf(id, name);
      for (;;) {
        const rested = await activate(id, drivable, how);
        if (!comesToRest.has(rested.why) || closing.signal.aborted) return rested;
        // Whoever asked something before the claim was given back found it taken, and left it to this driver.
        const last = await store.lastSeq(id).catch(() => rested.seq);
        if (last === rested.seq) return rested;
      }
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

/** It has nothing to do, as far as it has been looked at. */
const comesToRest: ReadonlySet<Rested['why']> = new Set([
  'finished',
  'waiting',
  'paused',
  'later',
  'elsewhere',
]);

/** How long a stream may wait for its turn: a queue, a folder that is taken. */
const TURN_MS = 10_000;

const noSnapshots = { load: async () => null, save: async () => {} };

const foldsOf = <E extends AnyEvent>(store: Store<E>, { kind, foldVersion }: Drivable): Folds<unknown> =>
  createFolds({
    kind,
    streams: store,
    snapshots: foldVersion === undefined ? noSnapshots : store.snapshots,
    version: foldVersion ?? (() => ''),
    breathe: () => setImmediate(),
  });

/** One that is asked at every step whether it is aborted: `AbortSignal.any` asks those that it is made of each time. */
function eitherOf(...signals: readonly AbortSignal[]): { signal: AbortSignal; close(): void } {
  const either = new AbortController();
  const abort = ({ target }: Event): void => either.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener('abort', abort);
  }
  const close = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  return { signal: either.signal, close };
}

const stamped = (body: object, by: Actor, key: string) => ({ ...body, v: 1, at: systemClock.now(), key, by });
