import { type GitObject, type TreeItem, treeObject } from './objects.ts';
import { within } from './path-bytes.ts';

/** The tree of one folder of the index. */
export interface IndexedTree {
  oid: string;
  object: GitObject;
  /** How many entries of the index it is made of. */
  count: number;
  below: { name: string; tree: IndexedTree }[];
}

const MODES = new Map<number, TreeItem['mode']>([
  [0o100644, '100644'],
  [0o100755, '100755'],
  [0o120000, '120000'],
]);

/**
 * The trees of an index, whose order is theirs. `met` is told of each with its path from the top. Null where an entry is
 * neither a file nor a link, or is a file and a folder at once.
 */
export function treesOf(
  entries: readonly { path: string; data: Buffer }[],
  met: (path: string, tree: IndexedTree) => void,
): IndexedTree | null {
  let at = 0;
  const folder = (path: string): IndexedTree | null => {
    const inside = path === '' ? '' : `${path}/`;
    const from = at;
    const items: TreeItem[] = [];
    const below: IndexedTree['below'] = [];
    const names = new Set<string>();
    for (; at < entries.length && entries[at]!.path.startsWith(inside); ) {
      const { path: whole, data } = entries[at]!;
      const end = whole.indexOf('/', inside.length);
      const name = end === -1 ? whole.slice(inside.length) : whole.slice(inside.length, end);
      if (names.has(name)) return null;
      names.add(name);
      const mode = end === -1 ? MODES.get(data.readUInt32BE(24)) : '40000';
      if (mode === undefined) return null;
      if (end === -1) {
        items.push({ mode, name, oid: data.toString('hex', 40, 60) });
        at += 1;
        continue;
      }
      const tree = folder(within(path, name));
      if (tree === null) return null;
      items.push({ mode, name, oid: tree.oid });
      below.push({ name, tree });
    }
    const object = treeObject(items);
    const tree = { oid: object.oid, object, count: at - from, below };
    met(path, tree);
    return tree;
  };
  return folder('');
}
