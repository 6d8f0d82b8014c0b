import { describe, expect, test } from 'vitest';
import { howMany, lengthy } from '../support/scale.ts';
import { fuzzWrappings } from './canary.ts';
import { canJail } from './jail.ts';

/** Other commands: RISK_SEED=2. Far more of them: `npm run bench -- risk`. */
const seed = Number(process.env['RISK_SEED'] ?? 20_240_502);
const jailed = canJail();

describe.skipIf(!jailed && process.env['CI'] !== 'true')('commands around one that deletes', () => {
  test('whatever really deletes the canary was dangerous', lengthy, async () => {
    const count = howMany(1_000, 100);
    const { deleted, missed } = await fuzzWrappings(count, seed, 2);
    expect(missed).toEqual([]);
    expect(deleted).toBeGreaterThan(count * 0.4);
  });
});
