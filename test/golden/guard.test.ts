import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type GuardEvent,
  type GuardRow,
  type GuardState,
  initialGuardState,
  projectGuard,
  rangesOfGuard,
} from '../../src/core/contract/guard/index.ts';
import { keptGuards } from '../../src/core/guard/kept.ts';

/** Journals of guarded sessions as a release wrote them. Never regenerated: they are in people's stores. */
const files = globSync('guard-v*/*.json', { cwd: import.meta.dirname }).toSorted();
const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as {
    events: GuardEvent[];
    essence: unknown;
    row: Partial<GuardRow>;
  };
const stored = (events: GuardEvent[]) => events.map((event, at) => ({ stream: 's', seq: at + 1, event }));

/** What a person would say a session came to. */
const essence = ({ agent, session, place, calls, marks, epoch }: GuardState) => ({
  ...{ agent, session, workspace: place.workspace, epoch },
  calls: calls.map(({ seq, call, answer, unkept }) => [seq, call, answer, unkept ?? '-'].join(' ')),
  ranges: rangesOfGuard(marks, 'now').map(({ before, after, unsure }) =>
    [before, after, unsure ? 'unsure' : 'sure'].join(' '),
  ),
});

it.each(files)('%s folds as it did', (file) => {
  const golden = read(file);
  const events = stored(golden.events);
  const state = events.reduce(keptGuards.evolve, initialGuardState);
  expect(state.unreadable).toEqual([]);
  expect(essence(state)).toEqual(golden.essence);
  expect(events.reduce(projectGuard, null as GuardRow | null)).toMatchObject(golden.row);
});

it('and between them they hold every event of a session there was', () => {
  const seen = new Set(files.flatMap((file) => read(file).events.map(({ type }) => type)));
  expect([...seen].sort()).toEqual([
    ...['call-ended', 'call-judged', 'checkpoint-failed', 'guard-begun', 'guard-undo-begun', 'guard-undone'],
    'refused-at-door',
  ]);
});
