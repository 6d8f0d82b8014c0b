import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type EventType,
  eventTypes,
  evolve,
  fold,
  initialRunState,
  project,
  type RunEvent,
  type RunRow,
  type StoredEvent,
} from '../../src/core/contract/index.ts';
import { activeTime, openQuestion, waitingFor, workedOf } from '../../src/core/contract/told/index.ts';
import { essence, undoEssence } from './essence.ts';

/**
 * Journals that a release wrote. They are never regenerated: whatever becomes of the code, it folds them to the
 * same run, for they are in people's stores.
 */
const files = globSync('v*/*.json', { cwd: import.meta.dirname }).toSorted();
const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as {
    events: RunEvent[];
    essence: unknown;
    row: Partial<RunRow>;
    undo?: unknown;
  };
const stored = (events: RunEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ stream: 'run', seq: index + 1, event }));

describe('a golden journal folds as it did', () => {
  it.each(files)('%s', (file) => {
    const golden = read(file);
    const events = stored(golden.events);
    const state = fold(events);
    expect(state.unreadable).toEqual([]);
    expect(JSON.parse(JSON.stringify(essence(state)))).toEqual(golden.essence);
    if (golden.undo !== undefined) expect(undoEssence(state)).toEqual(golden.undo);
    expect(events.reduce(project, null as RunRow | null)).toMatchObject(golden.row);
  });

  it.each(files)('%s, from a snapshot at any place too', (file) => {
    const events = stored(read(file).events);
    const whole = JSON.stringify(fold(events));
    let state = fold([]);
    for (const [at, event] of events.entries()) {
      state = fold([event], state);
      const snapshot = JSON.parse(JSON.stringify(state));
      expect(snapshot).toEqual({ ...state, steps: [...state.steps] });
      expect(JSON.stringify(fold(events.slice(at + 1), snapshot)), `after ${at + 1}`).toBe(whole);
    }
  });

  it('and between them they hold every event there was', () => {
    const seen = new Set<EventType>(files.flatMap((file) => read(file).events.map(({ type }) => type)));
    expect([...eventTypes].filter((type) => !seen.has(type))).toEqual([]);
  });
});

it('at every event of them a listing says that something waits exactly where a question is open', () => {
  for (const file of files) {
    let state = initialRunState;
    let row: RunRow | null = null;
    for (const event of stored(read(file).events)) {
      state = evolve(state, event);
      row = project(row, event);
      const question = openQuestion(state);
      const asked = question === null ? null : waitingFor[question.kind];
      expect(row?.waitingFor ?? null, `${file} at ${event.seq}`).toBe(asked);
    }
  }
});

it('at every event of them a listing says as long as the run itself does how long it has worked', () => {
  for (const file of files) {
    let state = initialRunState;
    let row: RunRow | null = null;
    for (const event of stored(read(file).events)) {
      state = evolve(state, event);
      row = project(row, event);
      const later = event.event.at + 7;
      if (row !== null)
        expect(workedOf(row, later), `${file} at ${event.seq}`).toBe(activeTime(state, later));
    }
  }
});
