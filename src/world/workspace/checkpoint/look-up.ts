import type { GitPlace } from './git.ts';
import { openObjectReader } from './object-reader.ts';
import { fromBytes, nameOf, parentOf } from './path-bytes.ts';

export interface TreeRow {
  mode: string;
  oid: string;
}

/** The rows of a tree object: mode, space, name, NUL, twenty bytes. */
export function parseTree(content: Buffer): Map<string, TreeRow> {
  const rows = new Map<string, TreeRow>();
  for (let at = 0; at < content.length; ) {
    const [space, end] = [content.indexOf(32, at), content.indexOf(0, at)];
    const oid = content.subarray(end + 1, end + 21).toString('hex');
    rows.set(fromBytes(content.subarray(space + 1, end)), {
      mode: content.subarray(at, space).toString(),
      oid,
    });
    at = end + 21;
  }
  return rows;
}

/**
 * Those of the paths that a tree has. Reads the trees on the way to them and no others. Done here because git takes
 * such paths as arguments only, and an argument can hold neither all bytes nor all paths.
 */
export async function lookUp(place: GitPlace, tree: string, paths: string[]): Promise<Map<string, TreeRow>> {
  const found = new Map<string, TreeRow>();
  const reader = openObjectReader(place);
  const folders = new Map<string, Map<string, TreeRow> | null>();
  const rowsOf = async (folder: string): Promise<Map<string, TreeRow> | null> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const oid = folder === '' ? tree : await folderOid(folder);
    const rows = oid === null ? null : parseTree(await reader.read(oid));
    folders.set(folder, rows);
    return rows;
  };
  const folderOid = async (folder: string): Promise<string | null> => {
    const row = (await rowsOf(parentOf(folder)))?.get(nameOf(folder));
    return row?.mode === '40000' ? row.oid : null;
  };
  try {
    for (const path of paths) {
      const row = (await rowsOf(parentOf(path)))?.get(nameOf(path));
      if (row !== undefined) found.set(path, row);
    }
  } finally {
    await reader.close();
  }
  return found;
}
