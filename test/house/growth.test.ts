import { expect, it } from 'vitest';
import { expectLinear } from '../support/growth.ts';

const spin = (rounds: number): number => {
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) sum = (sum + round) | 0;
  return sum;
};

it('work that grows with its size passes, and work that grows with the square of it is told', async () => {
  await expectLinear(16_000, (size) => spin(size * 200));
  await expect(expectLinear(16_000, (size) => spin(size * size))).rejects.toThrow(/grows faster/);
});
