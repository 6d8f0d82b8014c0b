/** The part that tells folders apart: the last two names of a long path. */
export function shortPath(path: string, keep = 2): string {
  const home = path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)|^\/root(?=\/|$)/, '~');
  const parts = home.split('/').filter((part) => part !== '');
  if (parts.length <= keep + 1) return home;
  return `…/${parts.slice(-keep).join('/')}`;
}

export const relativeTo = (folder: string, path: string): string => {
  if (path === folder) return '.';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
};

export interface PathGroup {
  folder: string;
  count: number;
}

/** Without folders of which something inside is listed as well. */
export function leaves(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const parent = path.slice(0, at);
      if (parents.has(parent)) break;
      parents.add(parent);
    }
  }
  return paths.filter((path) => !parents.has(path));
}

/** Many paths as folders with how many lie in each, most first. A few are shown as they are. */
export function groupPaths(paths: readonly string[], workspace: string, few = 6): PathGroup[] {
  const short = paths.map((path) => relativeTo(workspace, path));
  if (short.length <= few) return short.map((folder) => ({ folder, count: 1 }));
  const counts = new Map<string, number>();
  for (const path of short) {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? './' : path.slice(0, slash + 1);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, n]) => ({ folder, count: n }))
    .sort((a, b) => b.count - a.count || a.folder.localeCompare(b.folder));
}
