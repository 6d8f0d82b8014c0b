/** A list that only grows, in pieces: adding to it copies its last piece, and not all of a long one. */
export type Blocks<T> = readonly (readonly T[])[];

const SIZE = 64;

export function added<T>(blocks: Blocks<T>, item: T): Blocks<T> {
  const last = blocks.at(-1);
  return last === undefined || last.length >= SIZE
    ? [...blocks, [item]]
    : blocks.with(blocks.length - 1, [...last, item]);
}

type Asked<T> = (item: T, index: number) => boolean;

/** A list as everybody reads it, by `itemAt` and not by brackets: an array is one, and so is what `exchanged` makes. */
export interface List<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
  find(isIt: Asked<T>): T | undefined;
  findLast(isIt: Asked<T>): T | undefined;
  findIndex(isIt: Asked<T>): number;
  filter(isIt: Asked<T>): T[];
  map<U>(of: (item: T, index: number) => U): U[];
  flatMap<U>(of: (item: T, index: number) => U | readonly U[]): U[];
  some(isIt: Asked<T>): boolean;
  every(isIt: Asked<T>): boolean;
  reduce<U>(of: (sum: U, item: T, index: number) => U, from: U): U;
}

/** What stands there, from 0; undefined where nothing does, before the beginning too. */
export const itemAt = <T>(list: List<T>, index: number): T | undefined =>
  index < 0 ? undefined : list.at(index);

/** The list with another item at a place that it has. Copies one piece, and not all of a long list. */
export function exchanged<T>(list: List<T>, index: number, item: T): List<T> {
  const { blocks, length } = list instanceof Pieces ? (list as Pieces<T>) : piecesOf(list);
  const at = Math.floor(index / SIZE);
  return new Pieces(blocks.with(at, blocks[at]!.with(index % SIZE, item)), length);
}

function piecesOf<T>(list: List<T>): Pieces<T> {
  const all = [...list];
  const count = Math.ceil(all.length / SIZE);
  const blocks = Array.from({ length: count }, (_, at) => all.slice(at * SIZE, (at + 1) * SIZE));
  return new Pieces(blocks, all.length);
}

/** A list in pieces of the same size, which lists made of one another share. Never changed; as JSON it is an array. */
export class Pieces<T> implements List<T> {
  readonly blocks: Blocks<T>;
  readonly length: number;
  #all: readonly T[] | null = null;

  constructor(blocks: Blocks<T>, length: number) {
    this.blocks = blocks;
    this.length = length;
  }

  /** What goes through all of it goes through an array, which is made when it is first wanted. */
  get #array(): readonly T[] {
    this.#all ??= ([] as T[]).concat(...this.blocks);
    return this.#all;
  }

  at(index: number): T | undefined {
    const at = index < 0 ? index + this.length : index;
    return this.blocks[Math.floor(at / SIZE)]?.[at % SIZE];
  }

  /** Each piece by itself, so that whoever remembers what became of one need not go through it again. */
  byPiece<U>(of: (piece: readonly T[]) => readonly U[]): Pieces<U> {
    return new Pieces(this.blocks.map(of), this.length);
  }

  find(isIt: Asked<T>): T | undefined {
    return this.#array.find(isIt);
  }

  findLast(isIt: Asked<T>): T | undefined {
    return this.#array.findLast(isIt);
  }

  findIndex(isIt: Asked<T>): number {
    return this.#array.findIndex(isIt);
  }

  filter(isIt: Asked<T>): T[] {
    return this.#array.filter(isIt);
  }

  map<U>(of: (item: T, index: number) => U): U[] {
    return this.#array.map(of);
  }

  flatMap<U>(of: (item: T, index: number) => U | readonly U[]): U[] {
    return this.#array.flatMap(of);
  }

  some(isIt: Asked<T>): boolean {
    return this.#array.some(isIt);
  }

  every(isIt: Asked<T>): boolean {
    return this.#array.every(isIt);
  }

  reduce<U>(of: (sum: U, item: T, index: number) => U, from: U): U {
    return this.#array.reduce(of, from);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#array[Symbol.iterator]();
  }

  toJSON(): readonly T[] {
    return this.#array;
  }
}
