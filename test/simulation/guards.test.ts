import { expect, test } from 'vitest';
import {
  type GuardEvent,
  type GuardFact,
  type GuardRow,
  type GuardState,
  initialGuardState,
  projectGuard,
  rangesOfGuard,
} from '../../src/core/contract/guard/index.ts';
import { keptGuards } from '../../src/core/guard/kept.ts';
import { howMany } from '../support/scale.ts';
import { createRandom } from './random.ts';

/** Who changed a file last, by its name. */
type Folder = ReadonlyMap<string, string>;

interface Session {
  facts: GuardFact[];
  /** Folders as they were kept, by checkpoint. */
  kept: ReadonlyMap<string, Folder>;
  now: Folder;
  /** Changes of calls whose beginning and end were both kept. */
  seen: ReadonlySet<string>;
}

/**
 * A session of an agent in a folder where a person works too: calls that overlap, hooks that die before they say that a call has
 * ended, checkpoints that cannot be taken, undos, people who are turned away. A change is written as whose it is and which.
 */
function live(seed: number): Session {
  const random = createRandom(seed);
  const facts: GuardFact[] = [
    { type: 'guard-begun', agent: 'codex', session: 's', place: { host: 'h', boot: 'b', workspace: '/w' } },
  ];
  const kept = new Map<string, Folder>();
  const now = new Map<string, string>();
  const open = new Map<string, { isKept: boolean; changes: string[] }>();
  let seen = new Set<string>();
  let n = 0;
  const take = (): string => {
    n += 1;
    kept.set(`k${n}`, new Map(now));
    return `k${n}`;
  };
  const change = (who: string): string => {
    n += 1;
    now.set(`f${random.int(4)}`, `${who} ${n}`);
    return `${who} ${n}`;
  };
  const begin = () => {
    const call = `c${random.int(5)}`;
    const fails = random.int(6) === 0;
    const answer = (['none', 'none', 'ask', 'deny'] as const)[random.int(4)]!;
    const judged = { id: 'i', call, tool: 'Bash', text: 't', cwd: '/w', level: null, answer, reason: '' };
    const isKept = answer !== 'deny' && !fails;
    facts.push({ type: 'call-judged', ...judged, ...(isKept ? { checkpoint: take() } : {}) });
    if (fails) facts.push({ type: 'checkpoint-failed', call, when: 'before', why: 'full' });
    if (answer !== 'deny') open.set(call, { isKept, changes: [] });
  };
  const end = () => {
    const [call, { isKept, changes }] = [...open][random.int(open.size)] ?? [
      '',
      { isKept: false, changes: [] },
    ];
    open.delete(call);
    // The hook died, or the agent has none.
    if (!isKept || random.int(4) === 0) return;
    if (random.int(5) === 0) facts.push({ type: 'checkpoint-failed', call, when: 'after', why: 'full' });
    else {
      facts.push({ type: 'call-ended', call, checkpoint: take() });
      seen = new Set([...seen, ...changes]);
    }
  };
  const undo = () => {
    facts.push({ type: 'guard-undo-begun', checkpoint: take() });
    facts.push({ type: 'guard-undone', restored: 1, left: [] });
    open.clear();
    seen = new Set();
  };
  const by = { person: 'p', door: 'library' } as const;
  const from = { run: null, agent: 'codex', pid: 1 };
  for (let at = 0; at < 40; at += 1) {
    const dice = random.int(20);
    if (dice < 6) begin();
    else if (dice < 11) end();
    else if (dice < 16) for (const one of open.values()) one.changes.push(change('agent'));
    // Nobody tells apart what is changed while a call is under way.
    else if (dice < 18 && open.size === 0) change('person');
    else if (dice === 18) undo();
    else facts.push({ type: 'refused-at-door', by, asked: 'undo', from, message: 'no' });
  }
  return { facts, kept, now, seen };
}

const stored = (facts: readonly GuardFact[]) =>
  facts.map((fact, at) => ({ stream: 's', seq: at + 1, event: { ...fact, v: 1, at } as GuardEvent }));

type Ranges = typeof rangesOfGuard;

/** What is wrong with what an undo of this session would take back. */
function wrongs({ facts, kept, now, seen }: Session, ranges: Ranges): string[] {
  const { marks } = stored(facts).reduce(keptGuards.evolve, keptGuards.initial);
  const folders = new Map([...kept, ['now', now]]);
  const all = ranges(marks, 'now').map(({ before, after, unsure }) => {
    const [was, is] = [folders.get(before)!, folders.get(after)!];
    const changed = [...is].filter(([file, by]) => was.get(file) !== by).map(([, by]) => by);
    return { changed, unsure };
  });
  const sure = all.filter(({ unsure }) => !unsure).flatMap(({ changed }) => changed);
  const covered = new Set(all.flatMap(({ changed }) => changed));
  // What was overwritten before it was kept is in nobody's way.
  const held = new Set([...folders.values()].flatMap((folder) => [...folder.values()]));
  return [
    ...sure.filter((by) => by.startsWith('person')).map((by) => `takes back ${by}`),
    ...[...seen].filter((by) => held.has(by) && !covered.has(by)).map((by) => `leaves ${by}`),
  ];
}

const seeds = Array.from({ length: howMany(2000, 300) }, (_, at) => at + 1);

test('whatever agents, people and crashes do, undo knows all that was seen, and is sure of nobody else’s changes', () => {
  expect(
    seeds.flatMap((seed) => wrongs(live(seed), rangesOfGuard).map((wrong) => `${seed}: ${wrong}`)),
  ).toEqual([]);
});

test.each<[string, Ranges]>([
  [
    'is sure of what nobody saw the end of',
    (...of) => rangesOfGuard(...of).map(({ unsure: _, ...it }) => it),
  ],
  [
    'takes what lies between calls for the agent’s',
    (marks, now) =>
      marks.map(({ checkpoint }, at) => ({ before: checkpoint, after: marks[at + 1]?.checkpoint ?? now })),
  ],
  ['forgets the last call', (marks, now) => rangesOfGuard(marks.slice(0, -1), now)],
])('one that %s is found out', (_, mutant) => {
  expect(seeds.some((seed) => wrongs(live(seed), mutant).length > 0)).toBe(true);
});

test('every event is reached; a session folds alike from any snapshot, and its row counts what its state holds', () => {
  const types = new Set<string>();
  for (const seed of seeds.slice(0, 60)) {
    const events = stored(live(seed).facts);
    for (const { event } of events) types.add(event.type);
    const state = events.reduce(keptGuards.evolve, initialGuardState);
    const half = Math.floor(events.length / 2);
    const snapshot = JSON.parse(
      JSON.stringify(events.slice(0, half).reduce(keptGuards.evolve, initialGuardState)),
    );
    expect(events.slice(half).reduce(keptGuards.evolve, snapshot as GuardState)).toEqual(state);
    const row = events.reduce(projectGuard, null as GuardRow | null);
    const denied = state.calls.filter(({ answer }) => answer === 'deny').length;
    expect(row).toMatchObject({ calls: state.calls.length, denied, endedAt: events.length - 1 });
  }
  expect([...types].sort()).toEqual([
    ...['call-ended', 'call-judged', 'checkpoint-failed', 'guard-begun', 'guard-undo-begun', 'guard-undone'],
    'refused-at-door',
  ]);
});
