import { expect, it } from 'vitest';
import { added, type Blocks } from './blocks.ts';

it('keeps the order, and leaves full pieces as they are', () => {
  let blocks: Blocks<number> = [];
  const seen = new Set<readonly number[]>();
  for (let n = 0; n < 1000; n += 1) {
    const before = blocks;
    blocks = added(blocks, n);
    expect(before.flat()).toHaveLength(n);
    for (const block of blocks.slice(0, -1)) seen.add(block);
  }
  expect(blocks.flat()).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  expect(seen.size, 'each piece was made once').toBe(blocks.length - 1);
});
