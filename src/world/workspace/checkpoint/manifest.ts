import type { FolderRecord } from './folder-record.ts';
import { ancestorsOf, within } from './path-bytes.ts';
import type { CoveredEntry, Uncovered } from './types.ts';

/** The usual modes of a workspace; only what differs from them is written down. */
export interface Defaults {
  file: number;
  exec: number;
  folder: number;
}

/** What a checkpoint knows besides git's tree: a blob beside it. */
export interface Manifest {
  v: 1;
  defaults: Defaults;
  /** Files and folders whose mode is not the usual one. */
  modes: Record<string, number>;
  /** Every folder that was there, sorted; empty ones too, and those with nothing covered in them. */
  folders: string[];
  uncovered: Uncovered[];
  covered: { files: number; folders: number; bytes: number };
}

export const isExecutable = (mode: number): boolean => (mode & 0o100) !== 0;
export const usualMode = (defaults: Defaults, mode: number): number =>
  isExecutable(mode) ? defaults.exec : defaults.file;

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

function uncoveredOf(records: Map<string, FolderRecord>, held: Set<string>): Uncovered[] {
  const found: Uncovered[] = [];
  for (const [path, record] of records) {
    if (record.closed !== undefined) found.push({ path, why: record.closed });
    for (const name of record.ignored) found.push({ path: within(path, name), why: 'ignored' });
    for (const name of record.special) found.push({ path: within(path, name), why: 'special-file' });
    for (const name of record.unreadable) found.push({ path: within(path, name), why: 'unreadable' });
    for (const [name, stamp] of record.large)
      found.push({ path: within(path, name), why: 'too-large', stamp });
  }
  return found.filter(({ path }) => !held.has(path)).toSorted(byPath);
}

export interface ManifestParts {
  records: Map<string, FolderRecord>;
  defaults: Defaults;
  fileModes: Map<string, number>;
  /** Covered although ignored. */
  held: Set<string>;
}

export function buildManifest({ records, defaults, fileModes, held }: ManifestParts): Manifest {
  const folders = new Set(records.keys());
  folders.delete('');
  for (const path of held) for (const folder of ancestorsOf(path)) folders.add(folder);
  const modes = new Map(fileModes);
  for (const [path, { mode }] of records) if (mode !== defaults.folder) modes.set(path, mode);
  const covered = { files: held.size, folders: folders.size, bytes: 0 };
  for (const { files, bytes } of records.values()) {
    covered.files += files;
    covered.bytes += bytes;
  }
  return {
    v: 1,
    defaults,
    modes: Object.fromEntries([...modes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    folders: [...folders].toSorted(),
    uncovered: uncoveredOf(records, held),
    covered,
  };
}

/** An entry of git's tree, with all its mode bits. */
export function entryOf(manifest: Manifest, path: string, gitMode: string, oid: string): CoveredEntry | null {
  if (gitMode === '120000') return { kind: 'link', oid };
  if (gitMode !== '100644' && gitMode !== '100755') return null;
  const usual = gitMode === '100755' ? manifest.defaults.exec : manifest.defaults.file;
  return { kind: 'file', oid, mode: modeIn(manifest, path) ?? usual };
}

const modeIn = (manifest: Manifest, path: string): number | undefined =>
  Object.hasOwn(manifest.modes, path) ? manifest.modes[path] : undefined;

export const folderMode = (manifest: Manifest, path: string): number =>
  modeIn(manifest, path) ?? manifest.defaults.folder;
