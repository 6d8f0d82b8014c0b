import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * A folder with all that is in it, read without any of what is tested here. A path is the bytes of its name, one
 * character each, so that nothing is lost and nothing is shared with the code's own idea of paths.
 */
export type Node =
  | { kind: 'file'; mode: number; content: string }
  | { kind: 'link'; target: string }
  | { kind: 'folder'; mode: number };
export type Tree = Map<string, Node>;

export const raw = (path: string): Buffer => Buffer.from(path, 'latin1');
export const bytes = (text: string): string => Buffer.from(text).toString('latin1');
export const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const child = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Everything below `root`, `.git` folders too unless told otherwise. */
export function readTree(root: string, skip: (path: string) => boolean = () => false): Tree {
  const tree: Tree = new Map();
  const visit = (folder: string): void => {
    const names = readdirSync(raw(child(root, folder)), { encoding: 'latin1' as BufferEncoding }) as string[];
    for (const name of names.toSorted()) {
      const path = child(folder, name);
      if (skip(path)) continue;
      const absolute = raw(`${root}/${path}`);
      const stats = lstatSync(absolute);
      const mode = stats.mode & 0o7777;
      if (stats.isDirectory()) {
        tree.set(path, { kind: 'folder', mode });
        visit(path);
      } else if (stats.isSymbolicLink())
        tree.set(path, {
          kind: 'link',
          target: readlinkSync(absolute, { encoding: 'latin1' as BufferEncoding }),
        });
      else tree.set(path, { kind: 'file', mode, content: readFileSync(absolute, 'latin1') });
    }
  };
  visit('');
  return tree;
}

/** Every file of a `.git` with its bytes, mode and time: nothing about it may change. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const stats = lstatSync(path);
    hash.update(`${path.slice(root.length)} ${stats.mode} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}\n`);
    if (stats.isDirectory()) for (const name of readdirSync(path).toSorted()) visit(`${path}/${name}`);
    else if (stats.isFile()) hash.update(readFileSync(path));
  };
  visit(root);
  return hash.digest('hex');
}

export const same = (one: Node | undefined, other: Node | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What differs, to be read by a person. */
export function differences(found: Tree, expected: Tree): string[] {
  const lines: string[] = [];
  for (const path of new Set([...found.keys(), ...expected.keys()])) {
    const [is, should] = [found.get(path), expected.get(path)];
    if (same(is, should)) continue;
    const text = (node: Node | undefined) => (node === undefined ? 'nothing' : JSON.stringify(node));
    lines.push(`${JSON.stringify(path)}: is ${text(is)}, should be ${text(should)}`);
  }
  return lines.toSorted();
}
