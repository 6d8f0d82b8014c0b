import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fold, type RunState, type StoredEvent } from '../../../src/core/contract/index.ts';

export const STEPS = 4;

/** Each step leaves a line before and one after it. Whoever else worked in the folder meanwhile would leave his between them. */
export const effectPlan = JSON.stringify({
  goal: 'leave lines',
  plan: Array.from({ length: STEPS }, (_, n) => ({
    step: `Step ${n + 1}`,
    action: `RUN_COMMAND echo begin ${n + 1} >> effects.txt; sleep 0.1; echo end ${n + 1} >> effects.txt`,
  })),
});
const allLines = Array.from({ length: STEPS }, (_, n) => [`begin ${n + 1}`, `end ${n + 1}`]).flat();

const effectsOf = (workspace: string): string[] => {
  try {
    return readFileSync(join(workspace, 'effects.txt'), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

/** The pid of whoever drove the stream as this event was written. */
function driverAt(events: readonly StoredEvent[], seq: number): number | undefined {
  const claimed = events.findLast(({ seq: at, event }) => at < seq && event.type === 'driver-claimed');
  return claimed?.event.type === 'driver-claimed' ? claimed.event.driver.pid : undefined;
}

/**
 * What a journal and its side effects must say whatever was killed. Nobody has decided anything: so no step is begun again that
 * may have begun, and whatever waits for a person waits because its own driver was killed in a step.
 */
export function keepsPromises(
  run: string,
  events: StoredEvent[],
  workspace: string,
  killed: ReadonlySet<number>,
): RunState {
  const state = fold(events);
  const told = `${run}\n${events.map(({ seq, event }) => `${seq} ${JSON.stringify(event)}`).join('\n')}`;
  expect(
    events.map(({ seq }) => seq),
    told,
  ).toEqual(events.map((_, n) => n + 1));
  expect(state.unreadable, told).toEqual([]);

  const epochs = events.flatMap(({ event }) => (event.type === 'driver-claimed' ? [event.epoch] : []));
  expect(epochs, `each driver comes after the one before: ${told}`).toEqual(
    [...new Set(epochs)].toSorted((a, b) => a - b),
  );
  const attempts = (type: StoredEvent['event']['type']) =>
    events.flatMap(({ event }) =>
      event.type === type && 'attemptIndex' in event ? [`${event.stepId} ${event.attemptIndex}`] : [],
    );
  for (const type of ['step-started', 'process-spawned', 'step-completed', 'step-interrupted'] as const)
    expect(attempts(type), `${type} once for each attempt: ${told}`).toEqual([...new Set(attempts(type))]);

  const lines = effectsOf(workspace);
  expect(lines, `one after the other, each once: ${told}`).toEqual(allLines.slice(0, lines.length));
  if (state.status === 'done') {
    expect(lines, told).toEqual(allLines);
    return state;
  }
  expect(state, told).toMatchObject({ status: 'waiting', ended: false });
  const { stepId, attemptIndex } = state.interrupted!;
  const begun = events.find(
    ({ event }) =>
      event.type === 'step-started' && event.stepId === stepId && event.attemptIndex === attemptIndex,
  )!;
  expect([...killed], `its own driver was killed: ${told}`).toContain(driverAt(events, begun.seq));
  return state;
}

/** How long each run that was killed under its driver was without one. */
export function timesOfTakingOver(
  events: readonly StoredEvent[],
  killed: ReadonlyMap<number, number>,
): number[] {
  const claims = events.flatMap(({ event }) => (event.type === 'driver-claimed' ? [event] : []));
  return claims.slice(1).flatMap(({ at }, n) => {
    const diedAt = killed.get(claims[n]!.driver.pid);
    return diedAt === undefined ? [] : [at - diedAt];
  });
}
