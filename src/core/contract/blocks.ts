/** A list that only grows, in pieces: adding to it copies its last piece, and not all of a long one. */
export type Blocks<T> = readonly (readonly T[])[];

const SIZE = 64;

export function added<T>(blocks: Blocks<T>, item: T): Blocks<T> {
  const last = blocks.at(-1);
  return last === undefined || last.length >= SIZE
    ? [...blocks, [item]]
    : blocks.with(blocks.length - 1, [...last, item]);
}
