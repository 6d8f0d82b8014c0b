import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type GitPlace, git } from './git.ts';
import { joinZ, toBytes } from './path-bytes.ts';
import type { Change, CoveredEntry, Known } from './types.ts';

/** A tree of just these entries. Folders are none of git's. */
async function treeOf(place: GitPlace, entries: (readonly [path: string, entry: Known])[]): Promise<string> {
  const rows = entries.flatMap(([path, entry]) => {
    if (entry?.kind !== 'file' && entry?.kind !== 'link') return [];
    const mode = entry.kind === 'link' ? '120000' : entry.mode & 0o100 ? '100755' : '100644';
    return [`${mode} ${entry.oid}\t${path}`];
  });
  const index = join(place.gitDir, `index.diff.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    await git(place, ['update-index', '--add', '--replace', '-z', '--index-info'], {
      index,
      input: joinZ(rows),
    });
    return (await git(place, ['write-tree'], { index })).toString().trim();
  } finally {
    rmSync(index, { force: true });
  }
}

const octal = (mode: number): string => mode.toString(8).padStart(6, '0');
const modeText = (entry: CoveredEntry): string =>
  entry.kind === 'folder'
    ? octal(0o040000 | entry.mode)
    : entry.kind === 'file'
      ? octal(0o100000 | entry.mode)
      : '120000';

const isFolder = (known: Known): boolean => known?.kind === 'folder';
const executable = (entry: CoveredEntry): boolean => entry.kind === 'file' && (entry.mode & 0o100) !== 0;

/** What git's text does not say: folders, the other mode bits, and what has grown beyond the limits. */
function said({ path, kind, before, after }: Change): string {
  const head = `diff --git a/${path} b/${path}\n`;
  if (after?.kind === 'uncovered') return `${head}now not covered (${after.why})\n`;
  if (before === null && isFolder(after))
    return `${head}new folder mode ${modeText(after as CoveredEntry)}\n`;
  if (after === null && before?.kind === 'folder') return `${head}deleted folder mode ${modeText(before)}\n`;
  if (kind !== 'mode' && kind !== 'modified') return '';
  if (before === null || after === null || before.kind === 'link' || after.kind === 'link') return '';
  if (before.kind === 'file' && executable(before) !== executable(after)) return '';
  if (before.mode === after.mode) return '';
  return `${head}old mode ${modeText(before)}\nnew mode ${modeText(after)}\n`;
}

const isAt = (path: string, wanted: string | undefined): boolean =>
  wanted === undefined || path === wanted || path.startsWith(`${wanted}/`);

/** Unified text of these changes, of one path or below one folder if given. Binary files are named, not shown. */
export async function unifiedDiff(
  place: GitPlace,
  changes: readonly Change[],
  path?: string,
): Promise<string> {
  const wanted = changes.filter((change) => isAt(change.path, path));
  if (wanted.length === 0) return '';
  const treeOfSide = (side: 'before' | 'after') =>
    treeOf(
      place,
      wanted.map((change): [string, Known] => [change.path, change[side]]),
    );
  const [from, to] = [await treeOfSide('before'), await treeOfSide('after')];
  const args = ['-r', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', from, to];
  const text = from === to ? Buffer.alloc(0) : await git(place, ['diff-tree', ...args]);
  return Buffer.concat([text, ...wanted.map((change) => toBytes(said(change)))]).toString();
}
