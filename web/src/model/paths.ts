/** The part that tells folders apart: the last two names of a long path. */
export function shortPath(path: string, keep = 2): string {
  const home = path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)|^\/root(?=\/|$)/, '~');
  const parts = home.split('/').filter((part) => part !== '');
  if (parts.length <= keep + 1) return home;
  return `…/${parts.slice(-keep).join('/')}`;
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
