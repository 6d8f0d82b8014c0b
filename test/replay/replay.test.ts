import { describe, expect, test } from 'vitest';
import type { RunEvent, StoredEvent } from '../../src/core/contract/index.ts';
import { createRunMachine, type RunPorts } from '../../src/core/engine/index.ts';
import { replayRun } from '../../src/doors/app/replay.ts';
import { World } from '../simulation/world.ts';

/** Where a model would be asked again: in these worlds there is none. */
const ofModels = /^(goal-restated|hints-given|draft-received|correction-attempt) /;

/** Ports of which none may be used: a replay takes what the world did from the journal. */
const untouched = new Proxy({} as RunPorts, {
  get: () => {
    throw new Error('the world was touched');
  },
});
const ports = { performer: untouched, mind: untouched, checkpoints: untouched } as unknown as RunPorts;
const machine = createRunMachine('run', { pid: 1, host: 'h', boot: 'b' }, ports);

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
    let whole = 0;
    const other: unknown[] = [];
    for (let seed = 1; seed <= 400; seed++) {
      const replayed = await replayRun(await journalOf(seed), machine);
      decisions += replayed.decisions;
      const { divergence } = replayed;
      if (divergence !== null && !ofModels.test(divergence.recorded)) other.push([seed, divergence]);
      if (divergence === null) whole += 1;
    }
    expect(other).toEqual([]);
    expect(whole).toBeGreaterThan(200);
    expect(decisions).toBeGreaterThan(2000);
  });

  test('is told where it would go another way', async () => {
    const { events, at } = await withAttempt();
    const event = { ...events[at]!.event, attemptIndex: 7 } as RunEvent;
    const replayed = await replayRun(events.with(at, { ...events[at]!, event }), machine);
    expect(replayed.divergence).toMatchObject({ seq: at + 1, now: expect.stringMatching(/^step-started/) });
  });
});
