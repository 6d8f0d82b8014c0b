import { UNKNOWN } from '../shell/index.ts';
import { resolvePath } from './paths.ts';
import type { Origin, Where, Written } from './types.ts';

export interface Writing extends Written {
  readonly files: Map<string, Origin>;
  readonly folders: Set<string>;
}

export const nothingWritten = (): Writing => ({ files: new Map(), folders: new Set() });
export const copyWritten = ({ files, folders }: Written): Writing => ({
  files: new Map(files),
  folders: new Set(folders),
});

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const isRooted = (path: string): boolean => /^[/~]/.test(path);

/** What is known of a path; undefined where nobody wrote it. Where the directory is not known, its name is enough. */
export function originIn(written: Written, path: string, where: Where): Origin | undefined {
  const { files, folders } = written;
  if (files.size === 0 && folders.size === 0) return undefined;
  const full = resolvePath(path, where);
  const known = files.get(full);
  if (known !== undefined) return known;
  for (const folder of folders) if (isBelow(full, folder)) return 'unseen';
  const name = baseOf(full);
  for (const [file, origin] of files) {
    if (file.includes(UNKNOWN) && fits(full, file)) return origin;
    const bare = file === name || full === name;
    if (bare && baseOf(file) === name && !(isRooted(file) && isRooted(full))) return origin;
  }
  return undefined;
}

/** Whether a path may be one that is not wholly known. One of which nothing is known but its folder is no path. */
function fits(path: string, unsure: string): boolean {
  const parts = unsure.split(UNKNOWN);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  return (
    /[\w.]$/.test(last) &&
    path.length >= first.length + last.length &&
    path.startsWith(first) &&
    path.endsWith(last)
  );
}

/** Where a file would come from if its content were taken from this path. */
export function originOf(path: string, where: Where, ...known: readonly (Written | undefined)[]): Origin {
  for (const written of known) {
    const origin = written && originIn(written, path, where);
    if (origin !== undefined) return origin;
  }
  return /^[\w.@-]{2,}:/.test(path) || isElsewhere(path, where) ? 'unseen' : 'own';
}

/** Outside the workspace; of a path whose folder is not known, by its words. */
function isElsewhere(path: string, where: Where): boolean {
  const { workspace } = where.context;
  const full = resolvePath(path, where);
  if (workspace !== undefined && isRooted(full)) return !isBelow(full, resolvePath(workspace, where));
  return isRooted(full) || /^\.\.(?:\/|$)/.test(full);
}

/** Two origins in one file: the one that is known less of. */
export function mixed(one: Origin, other: Origin): Origin {
  if (one === 'unseen' || other === 'unseen') return 'unseen';
  if (one === 'own') return other;
  return other === 'own' ? one : { text: `${one.text}\n${other.text}` };
}
