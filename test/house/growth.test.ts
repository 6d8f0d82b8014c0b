import { expect, it } from 'vitest';
import { expectLinear } from '../support/growth.ts';

it('work that grows with its size passes, and work that grows with the square of it is told', async () => {
  let counted = 0;
  const spent = () => counted;
  const costing = (cost: (size: number) => number) => (size: number) => {
    counted += cost(size);
    return counted;
  };
  const square = costing((size) => size * size);
  await expectLinear(
    1000,
    costing((size) => size),
    { spent },
  );
  await expectLinear(
    1000,
    costing((size) => size * Math.log(size)),
    { spent },
  );
  await expect(expectLinear(1000, square, { spent })).rejects.toThrow(/grows faster/);
  await expectLinear(1000, square, { spent, power: 2 });
});

it('the CPU time of this thread is what is counted', async () => {
  const idle = (size: number) => new Promise((resolve) => setTimeout(resolve, size * size));
  await expectLinear(16, idle);
});
