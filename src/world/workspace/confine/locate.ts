import { readlinkSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Entry, entryAt } from './entry.ts';
import { ConfinementError } from './errors.ts';
import { canHold, type HeldFolder, openFolder } from './folder.ts';

export interface Whereabouts {
  workspace: string;
  /** What relative paths are relative to, as in a shell. */
  cwd: string;
  /** For tests: how folders are held. */
  hold?: boolean;
}

export interface LocateOptions {
  /** Whether a link at the end is followed. Links on the way always are, as long as they stay inside. */
  follow: boolean;
  /** Stop at a missing folder on the way: the place is that folder, and `rest` what comes behind it. */
  partial?: boolean;
}

/** A place in the workspace: a folder that is held, and a name in it. */
export interface LocatedPath {
  folder: HeldFolder;
  /** Empty for the workspace itself: then `folder` is the workspace. */
  name: string;
  /** Where it really is, whether or not something is there. */
  path: string;
  /** What was there when it was looked at. */
  entry: Entry;
  /** Names of folders and of a last entry that are missing beneath it; empty unless `partial` was asked for. */
  rest: readonly string[];
  /** The place as the system is to be told: valid until `close`, follows no link at the end. */
  here(): string;
  close(): void;
}

const MAX_LINKS = 40;
/** How often a folder may turn into something else under our eyes before we give up. */
const MAX_TURNS = 100;

/**
 * Walks to a path component by component, each folder opened from the one before without following links; a link is
 * read and its target walked in its place. Whoever turns a folder into a link meanwhile is not followed. Throws a
 * ConfinementError where the path leads out, or what the system says. The place must be closed.
 */
export function locate(where: Whereabouts, path: string, options: LocateOptions): LocatedPath {
  const root = openFolder(where.workspace, where.hold ?? canHold);
  const walk = createWalk(root);
  try {
    return walk(path, startingParts(root.path, where.cwd, path), options);
  } catch (error) {
    walk.close();
    throw error;
  }
}

/** The components to walk from the workspace. */
function startingParts(root: string, cwd: string, path: string): string[] {
  if (path === '' || path.includes('\0'))
    throw new ConfinementError('bad-path', `${JSON.stringify(path)} is no path`);
  if (path === '~' || path.startsWith('~/'))
    throw new ConfinementError('bad-path', `${path} begins with ~, which only a shell expands`);
  if (path.startsWith(sep)) {
    const parts = beneath(root, path);
    if (parts === null) throw outside(path);
    return parts;
  }
  const parts = beneath(root, cwd);
  if (parts === null)
    throw new ConfinementError('outside', `${path} is outside the workspace: the session is in ${cwd}`);
  return [...parts, ...path.split(sep)];
}

/**
 * What of an absolute path comes behind the workspace; null where it does not lead there. The workspace may be named
 * through a link: the shortest beginning of the path that really is the workspace counts.
 */
function beneath(root: string, path: string): string[] | null {
  if (path === root || path.startsWith(root === sep ? sep : root + sep))
    return path.slice(root.length).split(sep);
  const parts = path.split(sep);
  for (let length = 2; length <= parts.length; length += 1) {
    try {
      if (realpathSync(parts.slice(0, length).join(sep)) === root) return parts.slice(length);
    } catch {
      return null;
    }
  }
  return null;
}

type Walk = ((path: string, parts: string[], options: LocateOptions) => LocatedPath) & { close(): void };

function createWalk(workspace: HeldFolder): Walk {
  const { path: root } = workspace;
  const stack: HeldFolder[] = [workspace];
  const top = (): HeldFolder => stack.at(-1)!;
  const leaveTo = (depth: number): void => {
    while (stack.length > depth) stack.pop()!.close();
  };

  const walk = (asked: string, parts: string[], { follow, partial }: LocateOptions): LocatedPath => {
    const left = [...parts];
    let links = 0;
    let turns = 0;
    while (left.length > 0) {
      const name = left.shift()!;
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (stack.length === 1) throw outside(asked);
        leaveTo(stack.length - 1);
        continue;
      }
      const isLast = left.every((part) => part === '' || part === '.');
      const entry = entryAt(top().at(name));
      if (entry.kind === 'link' && (!isLast || follow)) {
        if ((links += 1) > MAX_LINKS)
          throw new ConfinementError('bad-path', `${asked} goes through too many links`);
        const target = readLink(top(), name);
        if (target === null) left.unshift(name);
        else if (!target.startsWith(sep)) left.unshift(...target.split(sep));
        else {
          const inside = beneath(root, target);
          if (inside === null) throw outside(asked, join(top().path, name));
          leaveTo(1);
          left.unshift(...inside);
        }
        continue;
      }
      if (isLast) return placeOf(name, entry);
      if (entry.kind === 'absent') {
        const rest = left.filter((part) => part !== '' && part !== '.');
        if (partial && !rest.includes('..')) return placeOf(name, entry, rest);
        throw new ConfinementError('missing', `there is no folder ${join(top().path, name)}`);
      }
      if (entry.kind !== 'folder') {
        throw new ConfinementError('not-a-folder', `${join(top().path, name)} is no folder`);
      }
      const inner = openInner(top(), name);
      if (inner !== null) stack.push(inner);
      else if ((turns += 1) < MAX_TURNS) left.unshift(name);
      else throw new ConfinementError('changed', `${asked} keeps changing while it is looked at`);
    }
    if (stack.length === 1) return placeOf('', top().entry());
    const { path } = top();
    leaveTo(stack.length - 1);
    const name = path.slice(path.lastIndexOf(sep) + 1);
    return placeOf(name, entryAt(top().at(name)));
  };

  const placeOf = (name: string, entry: Entry, rest: readonly string[] = []): LocatedPath => {
    const folder = stack.pop()!;
    leaveTo(0);
    return {
      folder,
      name,
      path: name === '' ? folder.path : join(folder.path, name),
      entry,
      rest,
      here: () => folder.at(name === '' ? '.' : name),
      close: () => folder.close(),
    };
  };
  return Object.assign(walk, { close: () => leaveTo(0) });
}

/** Null where it is no link any more. */
function readLink(folder: HeldFolder, name: string): string | null {
  try {
    return readlinkSync(folder.at(name));
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Null where it is no folder any more: then one has to look again. */
function openInner(folder: HeldFolder, name: string): HeldFolder | null {
  try {
    return folder.open(name);
  } catch (error) {
    if (['ENOTDIR', 'ELOOP', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const outside = (path: string, link?: string): ConfinementError =>
  new ConfinementError(
    'outside',
    link === undefined || link === path
      ? `${path} leads out of the workspace`
      : `${path} leads out of the workspace by the link ${link}`,
  );
