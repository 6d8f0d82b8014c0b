import { expect } from 'vitest';
import { eventTypes } from '../../src/core/contract/index.ts';
import { howMany } from '../support/scale.ts';
import { BrokenPromise } from './promise.ts';
import { type Mutant, simulate } from './world.ts';

/**
 * Run one seed alone:     SIM_SEED=4711 npx vitest run test/simulation
 * Run a million:          TEST_SCALE=10 npx vitest run test/simulation
 */
export const one = process.env['SIM_SEED'];
export const WORLDS = howMany(100_000, 2_100);
export const FIRST = 1;

export async function broken(seed: number, mutant?: Mutant): Promise<string | null> {
  try {
    await simulate(seed, mutant);
    return null;
  } catch (error) {
    if (mutant !== undefined && error instanceof BrokenPromise) return error.message;
    if (mutant !== undefined) return String(error);
    const again = `SIM_SEED=${seed} npx vitest run test/simulation`;
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}\n  alone: ${again}`, {
      cause: error,
    });
  }
}

const kinds = [
  'abort',
  'attempt',
  'await',
  'checkpoint',
  'consult',
  'judge',
  'learn',
  'perform',
  'plan',
  'record',
  'recover',
  'release',
  'rest',
  'rollback',
  'stop',
  'summarise',
  'survey',
  'take',
];

/** Every world of these, and what they reach between them. Two files take half of them each, to work side by side. */
export async function manyWorlds(first: number, stride: number): Promise<void> {
  const seen = new Set<string>();
  const effects = new Set<string>();
  const total = { worlds: 0, events: 0, conflicts: 0, stale: 0, repeated: 0, crashes: 0 };
  for (let seed = first; seed < FIRST + WORLDS; seed += stride) {
    const report = await simulate(seed).catch(async () => {
      await broken(seed);
      throw new Error(`seed ${seed} failed once and then not again: the simulator is not deterministic`);
    });
    for (const type of report.seen) seen.add(type);
    for (const kind of report.effectKinds) effects.add(kind);
    total.worlds += 1;
    total.events += report.events;
    total.conflicts += report.conflicts;
    total.stale += report.stale;
    total.repeated += report.repeated;
    total.crashes += report.crashes;
  }
  console.log(total);
  const { worlds } = total;
  expect([...seen].sort()).toEqual([...eventTypes].sort());
  expect([...effects].sort()).toEqual(kinds);
  expect(total.events / worlds).toBeGreaterThanOrEqual(30);
  expect(Math.min(total.conflicts, total.stale, total.repeated, total.crashes)).toBeGreaterThan(worlds / 100);
}
