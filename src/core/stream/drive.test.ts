import { expect, test } from 'vitest';
import type { StoredEvent } from '../contract/index.ts';
import { drive } from './drive.ts';
import type { Machine } from './machine.ts';
import type { Folder } from './ports.ts';
import { claim, clock, type Event, journalOf, machine, options, type State } from './testing.ts';

test('the claim and the intent share a transaction, and the outcome is written before it rests', async () => {
  const { journal, appends } = journalOf();
  const rest = await drive(
    'x',
    options(journal, async () => [{ type: 'done' }]),
  );
  expect(rest.why).toBe('finished');
  expect(appends.map(({ events }) => events.map(({ type }) => type))).toEqual([
    ['claimed', 'begun'],
    ['done'],
  ]);
  expect(appends[0]).toMatchObject({ expectedSeq: 0, epoch: 1 });
  expect(appends[1]).not.toHaveProperty('expectedSeq');
});

test('an activation that finds nothing to do writes nothing', async () => {
  const { journal, appends, events } = journalOf();
  await drive(
    'x',
    options(journal, async () => [{ type: 'done' }]),
  );
  const before = appends.length;
  await drive(
    'x',
    options(journal, async () => []),
  );
  expect(appends).toHaveLength(before);
  expect(events).toHaveLength(3);
});

test('a journal that fails while work is in flight: the work is ended first, then the error is told', async () => {
  let poke = () => {};
  const { journal } = journalOf({ changed: () => new Promise((resolve) => (poke = resolve)) });
  let read = 0;
  const failing = {
    ...journal,
    read: async (...args: Parameters<typeof journal.read>) => {
      if (++read > 1) throw new Error('the disk is full');
      return journal.read(...args);
    },
  };
  let wasEnded = false;
  const perform = (_work: 'work', { signal }: { signal: AbortSignal }) =>
    new Promise<Event[]>((resolve) => {
      signal.addEventListener('abort', () => {
        wasEnded = true;
        resolve([{ type: 'done' }]);
      });
      setImmediate(() => poke());
    });
  await expect(drive('x', options(failing, perform))).rejects.toThrow('the disk is full');
  expect(wasEnded).toBe(true);
});

test('a driver that another has overtaken ends its work and writes nothing more', async () => {
  const { journal, appends } = journalOf();
  const lost = new AbortController();
  const perform = (_work: 'work', { signal }: { signal: AbortSignal }) =>
    new Promise<Event[]>((resolve) => {
      signal.addEventListener('abort', () => resolve([{ type: 'done' }]));
      setImmediate(() => lost.abort());
    });
  const rest = await drive('x', { ...options(journal, perform), claim: claim(lost) });
  expect(rest.why).toBe('lost');
  expect(appends).toHaveLength(1);
});

test('work without an intent is watched as well: what others append reaches it before it is over', async () => {
  let poke = () => {};
  const { journal, events } = journalOf({ changed: () => new Promise((resolve) => (poke = resolve)) });
  const perform = (_work: 'work', { signal }: { signal: AbortSignal }) =>
    new Promise<Event[]>((resolve) => {
      signal.addEventListener('abort', () => resolve([{ type: 'done' }]));
      events.push({ stream: 'x', seq: 1, event: { type: 'poked' } });
      setImmediate(() => poke());
    });
  const given = options(journal, perform);
  const looking: typeof given.machine = {
    ...given.machine,
    next: ({ seen }) =>
      seen.includes('done')
        ? { kind: 'rest', why: 'finished', wakeAt: null }
        : { kind: 'perform', intent: [], work: 'work' },
    attend: ({ seen }) =>
      seen.includes('poked') ? { kind: 'abort', why: 'cancelled' } : { kind: 'await', until: null },
  };
  expect(await drive('x', { ...given, machine: looking })).toMatchObject({ why: 'finished' });
});

test('a folder that somebody else works in: nothing is begun, nothing is written, and it is said who', async () => {
  const { journal, appends } = journalOf();
  const by = { pid: 7, host: 'h', boot: 'b' };
  const held: (Folder | null)[] = [];
  const given = options(journal, async () => [{ type: 'done' }]);
  const rest = await drive('x', {
    ...given,
    machine: { ...given.machine, holds: () => ({ host: 'h', path: '/w' }) },
    claim: {
      ...claim(),
      hold: async (folder) => {
        held.push(folder);
        return { ok: false, why: 'workspace-busy', by, stream: 'other' };
      },
    },
  });
  expect(rest).toMatchObject({ why: 'workspace-busy', busy: { by, stream: 'other' } });
  expect(held).toEqual([{ host: 'h', path: '/w' }]);
  expect(appends).toEqual([]);
});

test('what somebody writes while it is about to rest is looked at first', async () => {
  const { journal, events } = journalOf();
  const finished: Event[] = [{ type: 'claimed' }, { type: 'begun' }, { type: 'done' }];
  for (const event of finished) events.push({ stream: 'x', seq: events.length + 1, event });
  const plain = machine(async () => []);
  let asked = 0;
  const rest = await drive('x', {
    ...options(journal, async () => []),
    machine: {
      ...plain,
      next(state, now) {
        // Nobody wakes a driver that nothing keeps: a request in this gap is seen now, or by nobody.
        if (++asked === 1) events.push({ stream: 'x', seq: events.length + 1, event: { type: 'poked' } });
        return plain.next(state, now);
      },
    },
  });
  expect([asked, rest.state.seen.includes('poked')]).toEqual([2, true]);
});

/** Steps one after the other, and something that is wanted beside them from the second on. */
function sideBySide(aside: Promise<void>, waits: boolean, onAbort = () => {}) {
  type Work = 'step' | 'aside';
  const log: string[] = [];
  const count = ({ seen }: State, type: Event['type']) => seen.filter((each) => each === type).length;
  const made: Machine<State, Event, Event, Work> = {
    ...(machine(async () => []) as unknown as Machine<State, Event, Event, Work>),
    next: (state) =>
      count(state, 'done') < 4
        ? { kind: 'perform', intent: [{ type: 'begun' }], work: 'step' }
        : { kind: 'rest', why: waits ? 'waiting' : 'finished', wakeAt: null },
    aside: (state) => (count(state, 'done') > 0 && count(state, 'poked') === 0 ? 'aside' : null),
    waitsForAside: () => false,
    async perform(work, { signal }) {
      log.push(work);
      if (work === 'step') return [{ type: 'done' }];
      signal.addEventListener('abort', onAbort);
      await Promise.race([aside, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return signal.aborted ? [] : [{ type: 'poked' }];
    },
  };
  const { journal, events } = journalOf();
  let ids = 0;
  return { log, events, options: { machine: made, journal, claim: claim(), clock, newId: () => `${++ids}` } };
}
const types = (events: readonly StoredEvent<Event>[]) => events.map(({ event }) => event.type);

test('what goes on beside the work holds nobody up, and is written when it comes', async () => {
  let finish = () => {};
  const { log, events, options: given } = sideBySide(new Promise((resolve) => (finish = resolve)), true);
  const driven = drive('x', given);
  while (types(events).filter((type) => type === 'done').length < 4) await null;
  expect(types(events)).not.toContain('poked');
  finish();
  expect((await driven).why).toBe('waiting');
  expect(log.filter((work) => work === 'aside')).toHaveLength(1);
  expect(types(events).at(-1)).toBe('poked');
});

test('when the stream is over, what goes on beside it is ended, and nothing more is written', async () => {
  let isAborted = false;
  const { events, options: given } = sideBySide(new Promise(() => {}), false, () => {
    isAborted = true;
  });
  expect((await drive('x', given)).why).toBe('finished');
  expect(isAborted).toBe(true);
  expect(types(events)).not.toContain('poked');
});

test('work that needs what is made beside it waits for it', async () => {
  let finish = () => {};
  const { log, events, options: given } = sideBySide(new Promise((resolve) => (finish = resolve)), true);
  given.machine.waitsForAside = () => log.includes('aside');
  const driven = drive('x', given);
  while (!log.includes('aside')) await null;
  for (let turn = 0; turn < 50; turn += 1) await null;
  const before = log.filter((work) => work === 'step').length;
  finish();
  await driven;
  expect(before).toBe(3);
  expect(types(events).indexOf('poked')).toBeLessThan(types(events).lastIndexOf('begun'));
});
