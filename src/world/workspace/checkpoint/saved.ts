import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './errors.ts';
import { lstatInside, tryLstat } from './inside.ts';
import { blobOf, type TreeItem, treeObject, writeDurably, writeObjects } from './objects.ts';
import { ancestorsOf, namesGit, onDisk, within } from './path-bytes.ts';
import { savedRef } from './repository.ts';
import type { CheckpointLimits, CoveredEntry, SavedFiles } from './types.ts';

/** Path → what was there when it was saved; null: nothing. */
export type SavedEntries = Map<string, CoveredEntry | null>;

interface Store {
  root: string;
  gitDir: string;
  workspace: string;
  limits: Pick<CheckpointLimits, 'savedBytes'>;
}

const fileOf = (root: string, id: string): string => join(root, 'saved', `${id}.json`);

export function readSaved(root: string, id: string): SavedEntries {
  try {
    return new Map(JSON.parse(readFileSync(fileOf(root, id), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw error;
  }
}

/** The workspace's own name for a path, absolute or relative to it; null where it lies outside. */
export function toWorkspacePath(workspace: string, path: string): string | null {
  const parts: string[] = [];
  const isInside = path === workspace || path.startsWith(`${workspace}/`);
  if (path.startsWith('/') && !isInside) return null;
  const inner = isInside ? path.slice(workspace.length) : path;
  for (const part of inner.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.length === 0 ? null : parts.join('/');
}

/** Is there a link or a file where a folder should be, so that the path leads elsewhere? */
const leadsElsewhere = (workspace: string, path: string): boolean =>
  ancestorsOf(path).some((folder) => {
    const stats = tryLstat(within(workspace, folder));
    return stats !== null && stats !== 'hidden' && !stats.isDirectory();
  });

/** Saves what is at these paths, whatever ignore files say, for one checkpoint. What it has already stays. */
export async function saveFor(store: Store, id: string, paths: string[]): Promise<SavedFiles> {
  const { root, gitDir, workspace } = store;
  const entries = readSaved(root, id);
  const result: SavedFiles = { saved: [], notSaved: [] };
  for (const given of paths) {
    const path = toWorkspacePath(workspace, given);
    if (path === null || leadsElsewhere(workspace, path))
      result.notSaved.push({ path: given, why: 'outside' });
    else if (namesGit(path)) result.notSaved.push({ path: given, why: 'git' });
    else {
      for (const folder of ancestorsOf(path))
        if (!entries.has(folder)) await saveEntry(store, folder, entries);
      const why = entries.has(path) ? null : await saveEntry(store, path, entries);
      if (why === null) result.saved.push(path);
      else result.notSaved.push({ path, why });
    }
  }
  if (entries.size === 0) return result;
  const oids = new Set(
    [...entries.values()].flatMap((entry) => (entry && 'oid' in entry ? [entry.oid] : [])),
  );
  const items = [...oids].toSorted().map((oid): TreeItem => ({ mode: '100644', name: oid, oid }));
  const tree = treeObject(items);
  await writeObjects(gitDir, [tree]);
  await writeDurably(savedRef(gitDir, id), `${tree.oid}\n`);
  await writeDurably(fileOf(root, id), JSON.stringify([...entries]));
  return result;
}

/** What is at these paths now, saved for no checkpoint: its contents last until the next pruning. */
export async function entriesNow(store: Store, paths: string[]): Promise<SavedEntries> {
  const entries: SavedEntries = new Map();
  for (const path of paths) await saveEntry(store, path, entries);
  return entries;
}

/** Adds what is at the path; answers why it could not. */
async function saveEntry(
  { gitDir, workspace, limits }: Store,
  path: string,
  entries: SavedEntries,
): Promise<SavedFiles['notSaved'][number]['why'] | null> {
  const absolute = onDisk(within(workspace, path));
  try {
    const stats = lstatInside(workspace, path);
    if (stats === null) entries.set(path, null);
    else if (stats.isDirectory()) {
      entries.set(path, { kind: 'folder', mode: stats.mode & 0o7777 });
      return 'folder';
    } else if (stats.isSymbolicLink()) {
      const target = blobOf(readlinkSync(absolute, { encoding: 'buffer' }));
      await writeObjects(gitDir, [target]);
      entries.set(path, { kind: 'link', oid: target.oid });
    } else if (!stats.isFile()) return 'special-file';
    else if (stats.size > limits.savedBytes) return 'too-large';
    else {
      const content = blobOf(readFileSync(absolute));
      await writeObjects(gitDir, [content]);
      entries.set(path, { kind: 'file', oid: content.oid, mode: stats.mode & 0o7777 });
    }
    return null;
  } catch {
    return 'unreadable';
  }
}
