import type { ProblemCode } from '../problem-codes.ts';

/**
 * What a YAML or JSON file says, with the offset of everything in it. The readers make it; all that follows
 * (schema, messages, steps) is the same for every format. What is `anchored` may stand in several places.
 */
export type Tree =
  | { kind: 'map'; pos: number; end: number; pairs: readonly Pair[]; anchored?: boolean }
  | { kind: 'seq'; pos: number; end: number; items: readonly Tree[]; anchored?: boolean }
  | { kind: 'scalar'; pos: number; end: number; value: string | number | boolean | null };

export interface Pair {
  key: string;
  pos: number;
  value: Tree;
}

/** What a reader found wrong with the file itself. */
export interface ReadFault {
  code: ProblemCode;
  message: string;
  pos: number;
  mend: string;
}

export const faultAt = (pos: number, code: ProblemCode, message: string, mend: string): ReadFault => ({
  code,
  message,
  pos,
  mend,
});

export type ReadTree = { ok: true; tree: Tree } | { ok: false; faults: ReadFault[] };

/** The value without positions. What an alias shares stays shared: nothing is multiplied. */
export function toValue(tree: Tree, shared: Map<Tree, unknown> = new Map()): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.anchored !== true) return collectionOf(tree, shared);
  let value = shared.get(tree);
  if (value === undefined) {
    value = collectionOf(tree, shared);
    shared.set(tree, value);
  }
  return value;
}

function collectionOf(tree: Tree & { kind: 'map' | 'seq' }, shared: Map<Tree, unknown>): unknown {
  if (tree.kind === 'seq') return tree.items.map((item) => toValue(item, shared));
  const object: Record<string, unknown> = {};
  for (const pair of tree.pairs) {
    const value = toValue(pair.value, shared);
    // Assigned, it would change the prototype; defined, it is a plain property, which the schema rejects by name.
    if (pair.key === '__proto__') Object.defineProperty(object, pair.key, { value, enumerable: true });
    else object[pair.key] = value;
  }
  return object;
}

/** The node at a path of keys and indexes, or the deepest one on the way to it. */
export function nodeAt(tree: Tree, path: readonly PropertyKey[]): Tree {
  let node = tree;
  for (const key of path) {
    const next = childOf(node, key);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

export function childOf(tree: Tree, key: PropertyKey): Tree | undefined {
  if (tree.kind === 'seq') return tree.items[Number(key)];
  if (tree.kind === 'map') return pairOf(tree, String(key))?.value;
  return undefined;
}

export function pairOf(tree: Tree, key: string): Pair | undefined {
  return tree.kind === 'map' ? tree.pairs.find((pair) => pair.key === key) : undefined;
}

/** One fault for each key that a map has twice. */
export function duplicateKeys(pairs: readonly Pair[]): ReadFault[] {
  const seen = new Set<string>();
  const faults: ReadFault[] = [];
  for (const pair of pairs) {
    if (seen.has(pair.key)) {
      faults.push(faultAt(pair.pos, 'duplicate-key', `\`${pair.key}\` is there twice.`, 'Keep one of them.'));
    }
    seen.add(pair.key);
  }
  return faults;
}
