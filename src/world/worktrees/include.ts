import { constants, copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfinementError, entryAt, locate } from '../workspace/index.ts';
import type { Git } from './repository.ts';

const MAX_PATTERNS = 200;
const MAX_FILES = 2_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** What `.worktreeinclude` of the base names. */
export async function patternsIn(git: Git, base: string): Promise<string[]> {
  const listed = await git.try(['cat-file', 'blob', `${base}:.worktreeinclude`], { maxBytes: 64 * 1024 });
  if (listed.code !== 0) return [];
  const lines = listed.stdout.toString().split(/\r?\n/);
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).slice(0, MAX_PATTERNS);
}

/**
 * Copies what `.worktreeinclude` of the base names (as a .gitignore does) and git does not track: `.env` and the like. No
 * link is followed, on neither side, and nothing that is there is written over. Resolves with what was left out and why.
 */
export async function includeFiles(from: Git, to: string, base: string): Promise<string[]> {
  const patterns = await patternsIn(from, base);
  if (patterns.length === 0) return [];
  const found = await from.ask([
    ...['ls-files', '-z', '--others', '--ignored', ...patterns.map((pattern) => `--exclude=${pattern}`)],
    ...['--', '.', ':(exclude,top).agent-worktrees', ':(exclude,top).planwright'],
  ]);
  const paths = found.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  const left: string[] = [];
  let bytes = 0;
  for (const [at, path] of paths.entries()) {
    if (at >= MAX_FILES || bytes > MAX_BYTES) {
      left.push(`${paths.length - at} more files: .worktreeinclude names too much`);
      break;
    }
    const copied = copyOne(from.folder, to, path);
    if (typeof copied === 'number') bytes += copied;
    else left.push(`${path}: ${copied}`);
  }
  return left;
}

/** How many bytes were copied, or why none. */
function copyOne(from: string, to: string, path: string): number | string {
  try {
    const source = locate({ workspace: from, cwd: from }, path, { follow: false });
    try {
      if (source.entry.kind !== 'file') return 'it is no file';
      if (source.path !== join(from, path)) return 'it leads through a link';
      return place(source.here(), to, path);
    } finally {
      source.close();
    }
  } catch (error) {
    return error instanceof ConfinementError || error instanceof Error ? error.message : String(error);
  }
}

function place(source: string, to: string, path: string): number | string {
  const names = path.split('/');
  // Folder by folder: one that the base has as a link would lead out.
  for (let depth = 1; depth < names.length; depth += 1) {
    const folder = join(to, ...names.slice(0, depth));
    const { kind } = entryAt(folder);
    if (kind === 'absent') mkdirSync(folder);
    else if (kind !== 'folder') return `${folder} is no folder`;
  }
  const target = locate({ workspace: to, cwd: to }, path, { follow: false });
  try {
    if (target.entry.kind !== 'absent') return 0;
    copyFileSync(source, target.here(), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return statSync(target.here()).size;
  } finally {
    target.close();
  }
}
