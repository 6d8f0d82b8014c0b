import { expect, test } from 'vitest';
import { drive } from './drive.ts';
import type { Machine } from './machine.ts';
import type { PerformContext } from './ports.ts';
import { claim, type Event, journalOf, options, type State } from './testing.ts';

/** Only looks: it has no intent that the journal could refuse. */
const looking = (given: Machine<State, Event, Event, 'work'>): typeof given => ({
  ...given,
  next: ({ seen }) =>
    seen.includes('done')
      ? { kind: 'rest', why: 'finished', wakeAt: null }
      : { kind: 'perform', intent: [], work: 'work' },
});

test('who finds a later claim in the journal does nothing more, not even look', async () => {
  const { journal, appends } = journalOf();
  const given = options(journal, async () => {
    throw new Error('performed');
  });
  const machine = { ...looking(given.machine), epochOf: () => 2 };
  expect(await drive('x', { ...given, machine })).toMatchObject({ why: 'lost', state: { seen: [] } });
  expect(appends).toEqual([]);
});

test('who loses the claim while a folder is taken begins nothing', async () => {
  const { journal } = journalOf();
  const lost = new AbortController();
  let performed = 0;
  const given = options(journal, async () => {
    performed += 1;
    return [{ type: 'done' }];
  });
  const hold = async () => {
    lost.abort();
    return { ok: true } as const;
  };
  const rest = await drive('x', {
    ...given,
    machine: { ...looking(given.machine), holds: () => ({ host: 'h', path: '/w' }) },
    claim: { ...claim(lost), hold },
  });
  expect([rest.why, performed]).toEqual(['lost', 0]);
});

test('who loses the claim while the intent is written has it ended from the beginning', async () => {
  const lost = new AbortController();
  const { journal } = journalOf();
  const begun: boolean[] = [];
  const given = options(
    {
      ...journal,
      append: (...args) => {
        lost.abort();
        return journal.append(...args);
      },
    },
    async (_work, { signal }) => {
      begun.push(signal.aborted);
      return [{ type: 'done' }];
    },
  );
  expect(await drive('x', { ...given, claim: claim(lost) })).toMatchObject({ why: 'lost' });
  expect(begun).toEqual([true]);
});

test('who is told to stop and then loses the claim writes nothing of work that it has ended', async () => {
  const { journal, appends } = journalOf();
  const [lost, stop] = [new AbortController(), new AbortController()];
  const perform = (_work: 'work', { signal }: PerformContext<Event>) =>
    new Promise<Event[]>((resolve) => {
      signal.addEventListener('abort', () => resolve([{ type: 'done' }]));
      setImmediate(() => {
        stop.abort();
        lost.abort();
      });
    });
  const given = { ...options(journal, perform), claim: claim(lost), signal: stop.signal };
  expect(await drive('x', given)).toMatchObject({ why: 'lost' });
  expect(appends).toHaveLength(1);
});

test('what is recorded while others are looked for is folded once', async () => {
  let poke = () => {};
  let answer: (() => void) | null = null;
  const { journal } = journalOf({ changed: () => new Promise((resolve) => (poke = resolve)) });
  let reads = 0;
  const slow: typeof journal = {
    ...journal,
    async read(...args) {
      if (++reads !== 2) return journal.read(...args);
      const reading = Promise.withResolvers<void>();
      answer = reading.resolve;
      await reading.promise;
      return journal.read(...args);
    },
  };
  const perform = async (_work: 'work', { record }: PerformContext<Event>): Promise<Event[]> => {
    while (answer === null) {
      await new Promise(setImmediate);
      poke();
    }
    await record([{ type: 'poked' }]);
    answer();
    await new Promise(setImmediate);
    return [{ type: 'done' }];
  };
  const { state, seq } = await drive('x', options(slow, perform));
  expect([state.seen, seq]).toEqual([['claimed', 'begun', 'poked', 'done'], 4]);
});

/** Something is wanted beside the work from the beginning, until it is ended. */
function withAside(given: Machine<State, Event, Event, 'work'>) {
  let [isBegun, isEnded] = [false, false];
  const machine: Machine<State, Event, Event, 'work' | 'aside'> = {
    ...(given as unknown as Machine<State, Event, Event, 'work' | 'aside'>),
    aside: () => (isBegun ? null : 'aside'),
    waitsForAside: () => false,
    async perform(work, context) {
      if (work === 'work') return given.perform(work, context);
      isBegun = true;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      isEnded = true;
      return [];
    },
  };
  return { machine, isEnded: () => isEnded };
}

test('a journal that fails: what goes on beside the work is ended before that is told', async () => {
  const { journal } = journalOf();
  const given = options({ ...journal, append: () => Promise.reject(new Error('planted')) }, async () => []);
  const { machine, isEnded } = withAside(given.machine);
  await expect(drive('x', { ...given, machine })).rejects.toThrow('planted');
  expect(isEnded()).toBe(true);
});

test('a folder that was refused is asked for again while something goes on beside the work', async () => {
  const { journal } = journalOf();
  const folder = { host: 'h', path: '/w' };
  const given = options(journal, async () => [{ type: 'done' }]);
  const aside = Promise.withResolvers<void>();
  let asked = 0;
  const machine: Machine<State, Event, Event, 'work' | 'aside'> = {
    ...(given.machine as unknown as Machine<State, Event, Event, 'work' | 'aside'>),
    holds: () => folder,
    aside: () => (asked === 0 ? 'aside' : null),
    waitsForAside: () => false,
    perform: async (work) => (work === 'aside' ? aside.promise.then(() => []) : [{ type: 'done' }]),
  };
  const hold = async () => {
    aside.resolve();
    if (++asked > 1) return { ok: true } as const;
    const by = { pid: 7, host: 'h', boot: 'b' };
    return { ok: false, why: 'workspace-busy', by, stream: 'other' } as const;
  };
  expect(await drive('x', { ...given, machine, claim: { ...claim(), hold } })).toMatchObject({
    why: 'finished',
  });
  expect(asked).toBe(2);
});
