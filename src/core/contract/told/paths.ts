import type { Subject } from '../index.ts';
import { isOutside } from '../run/undo.ts';
import { count } from './text.ts';
import { visible } from './visible.ts';

export const relativeTo = (folder: string, path: string): string => {
  if (path === folder) return '.';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
};

export interface PathGroup {
  folder: string;
  count: number;
}

/** Many paths as folders with how many lie in each, most first. A few are shown as they are. */
export function groupPaths(paths: readonly string[], few = 6): PathGroup[] {
  if (paths.length <= few) return paths.map((folder) => ({ folder, count: 1 }));
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1) || './';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, count]) => ({ folder, count }))
    .sort((a, b) => b.count - a.count || a.folder.localeCompare(b.folder));
}

/** Paths as they are shown to somebody who decides by them: apart, where they lie outside of the workspace. */
export interface PathLists {
  count: number;
  outside: PathGroup[];
  inside: PathGroup[];
}

export function pathLists(workspace: string, paths: readonly string[]): PathLists {
  const outside = paths.filter((path) => isOutside(workspace, path));
  const inside = paths.filter((path) => !isOutside(workspace, path));
  return {
    count: paths.length,
    outside: groupPaths(outside),
    inside: groupPaths(inside.map((path) => relativeTo(workspace, path))),
  };
}

/** Said wherever the paths of a dangerous action are shown, and where there are none to show. */
export const unknownPathsWords = (unknownPaths: string): string =>
  `Not all that it touches can be shown. ${unknownPaths}`;

const NAMED = 20;

/** What an approval is bound to of what it touches, line by line, for doors that have no layout of their own. */
export function touchedWords({ paths, unknownPaths }: Pick<Subject, 'paths' | 'unknownPaths'>): string[] {
  const rows =
    paths.length <= NAMED
      ? paths.map(visible)
      : groupPaths(paths, NAMED).map((group) => `${group.count} in ${visible(group.folder)}`);
  return [
    ...(paths.length === 0
      ? []
      : [`Would touch ${count(paths.length, 'path')}:`, ...rows.map((row) => `  ${row}`)]),
    ...(unknownPaths === undefined ? [] : [unknownPathsWords(unknownPaths)]),
  ];
}
