import { type PathUse, pathsOf, type SimpleAction } from '../../../core/contract/index.ts';
import type { RealPaths } from './real-paths.ts';
import { noteTouch, type Touched } from './touch.ts';

interface Role {
  follow: boolean;
  below: boolean;
  writes: boolean;
}

const roles: Readonly<Record<PathUse, Role>> = {
  read: { follow: true, below: false, writes: false },
  write: { follow: true, below: false, writes: true },
  edit: { follow: true, below: false, writes: true },
  make: { follow: true, below: false, writes: true },
  delete: { follow: false, below: true, writes: true },
  'copy-from': { follow: true, below: true, writes: false },
  'copy-to': { follow: true, below: false, writes: true },
  'move-from': { follow: false, below: true, writes: true },
  'move-to': { follow: false, below: false, writes: true },
  list: { follow: true, below: false, writes: false },
};

/**
 * The action with its paths where they really are: relative to the directory as in a shell, links resolved, a link at
 * the end only where the action goes through it. A pattern stays as it is, and its folder counts. Notes what would be
 * touched.
 */
export function resolveFileAction(
  action: SimpleAction,
  cwd: string,
  real: RealPaths,
  found: Touched,
): SimpleAction {
  const fields: Record<string, unknown> = { ...action };
  for (const { field, path, use } of pathsOf(action)) {
    const folder = use === 'list' ? (/^(?:[^*?[{/]*\/)*/.exec(path)?.[0] ?? '') || '.' : path;
    const at = noteTouch({ value: folder, matched: true }, { skip: 0, ...roles[use] }, cwd, real, found);
    if (use !== 'list') fields[field] = at ?? path;
  }
  return fields as unknown as SimpleAction;
}
