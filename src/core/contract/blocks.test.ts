import { describe, expect, it } from 'vitest';
import { added, type Blocks, exchanged, itemAt, type List, type Pieces } from './blocks.ts';

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

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a list of which one item is exchanged', () => {
  it.each([1, 63, 64, 65, 128, 1000])('is read like the array that it would be, with %i items', (count) => {
    for (const at of new Set([0, Math.floor(count / 2), count - 1])) {
      const array = numbers(count).with(at, -1);
      const list: List<number> = exchanged(numbers(count), at, -1);
      const isIt = (n: number) => n === -1;
      expect([...list]).toEqual(array);
      expect(list.length).toBe(count);
      expect(numbers(count).map((n) => itemAt(list, n))).toEqual(array);
      expect([itemAt(list, -1), itemAt(list, count)], 'what lies outside').toEqual([undefined, undefined]);
      expect([list.at(-1), list.at(-count), list.at(-count - 1)]).toEqual([
        array.at(-1),
        array.at(-count),
        undefined,
      ]);
      expect(list.find(isIt)).toBe(-1);
      expect(list.findLast((n) => n !== -1)).toBe(array.findLast((n) => n !== -1));
      expect(list.findIndex(isIt)).toBe(at);
      expect(list.filter((n) => !isIt(n))).toEqual(array.filter((n) => !isIt(n)));
      expect(list.map((n, index) => n * index)).toEqual(array.map((n, index) => n * index));
      expect(list.flatMap((n) => [n, n])).toEqual(array.flatMap((n) => [n, n]));
      expect([list.some(isIt), list.every(isIt)]).toEqual([true, count === 1]);
      expect(list.reduce((sum, n) => sum + n, 0)).toBe(array.reduce((sum, n) => sum + n, 0));
      expect(JSON.stringify({ list })).toBe(JSON.stringify({ list: array }));
    }
  });

  it('leaves the one before it as it was, and shares all pieces with it but one', () => {
    const before = exchanged(numbers(1000), 0, 0) as Pieces<number>;
    const after = exchanged(before, 500, -1) as Pieces<number>;
    expect([...before]).toEqual(numbers(1000));
    expect(after.blocks.filter((block, n) => block !== before.blocks[n])).toHaveLength(1);
    expect(Math.max(...after.blocks.map((block) => block.length))).toBeLessThan(100);
  });

  it('is gone through piece by piece', () => {
    const list = exchanged(numbers(200), 3, -3) as Pieces<number>;
    expect([...list.byPiece((piece) => piece.map((n) => n + 1))]).toEqual([...list].map((n) => n + 1));
  });
});
