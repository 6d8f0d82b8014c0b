import { describe, expect, test } from 'vitest';
import type { RunEvent, StoredEvent } from '../../src/core/contract/index.ts';
import { createRunMachine, type Performer, replayRun } from '../../src/core/run/index.ts';
import { World } from '../simulation/world.ts';
import { howMany } from '../support/scale.ts';

const WORLDS = howMany(400, 150);

const untouched = (): never => {
  throw new Error('the world was touched');
};
const performer = {
  judge: untouched,
  attempt: untouched,
  recover: untouched,
  release: untouched,
  survey: untouched,
} as unknown as Performer;
const machine = createRunMachine('run', { pid: 1, host: 'h', boot: 'b' }, { performer });
const asksModels = false;

async function journalOf(seed: number): Promise<StoredEvent[]> {
  const world = new World(seed);
  await world.live();
  return world.journal.events;
}

/** The first world in which a step was begun, and where. */
async function withAttempt(): Promise<{ events: StoredEvent[]; at: number }> {
  for (let seed = 1; ; seed++) {
    const events = await journalOf(seed);
    const at = events.findIndex(({ event }) => event.type === 'step-started');
    if (at > 0) return { events, at };
  }
}

describe('a run that is replayed', () => {
  test('goes the same way, in random worlds with crashes and meddling people', async () => {
    let decisions = 0;
    for (let seed = 1; seed <= WORLDS; seed++) {
      const events = await journalOf(seed);
      const replayed = await replayRun(events, machine, { asksModels });
      expect([seed, replayed.divergence]).toEqual([seed, null]);
      decisions += replayed.decisions;
    }
    expect(decisions).toBeGreaterThan(10 * WORLDS);
  });

  test('is told where it would go another way', async () => {
    const { events, at } = await withAttempt();
    const { event } = events[at]!;
    const other = { ...event, attemptIndex: 7 } as RunEvent;
    const replayed = await replayRun(events.with(at, { ...events[at]!, event: other }), machine, {
      asksModels,
    });
    expect(replayed.divergence?.seq).toBe(at + 1);
    expect(replayed.divergence?.recorded).toMatch(/^step-started .*7/);
    expect(replayed.divergence?.now).toMatch(/^step-started/);
  });

  test('and by a machine that decides otherwise, at its first other decision', async () => {
    const { events, at } = await withAttempt();
    const lazy: typeof machine = {
      ...machine,
      next: (state, now) => {
        const effect = machine.next(state, now);
        const starts = effect.kind === 'perform' && effect.work.kind === 'attempt';
        return starts ? { kind: 'rest', why: 'paused', wakeAt: null } : effect;
      },
    };
    const replayed = await replayRun(events, lazy, { asksModels });
    expect(replayed.divergence).toMatchObject({ seq: at + 1, now: 'the run rests (paused)' });
  });
});
