import type { SimpleAction } from '../../../core/contract/index.ts';
import type { RealPaths } from './real-paths.ts';
import { type Found, noteTouch } from './touch.ts';

interface Role {
  follow: boolean;
  below: boolean;
  writes: boolean;
}

const reads: Role = { follow: true, below: false, writes: false };
const writes: Role = { follow: true, below: false, writes: true };

/**
 * The file action with its paths where they really are: relative to the directory as in a shell, links resolved, a
 * link at the end only where the action goes through it. Notes what would be touched.
 */
export function resolveFileAction(
  action: SimpleAction,
  cwd: string,
  real: RealPaths,
  found: Found,
): SimpleAction {
  const at = (path: string, role: Role): string =>
    noteTouch({ value: path, matched: true }, { skip: 0, ...role }, cwd, real, found) ?? path;
  switch (action.kind) {
    case 'write-file':
    case 'append-file':
    case 'edit-file':
    case 'create-dir':
      return { ...action, path: at(action.path, writes) };
    case 'read-file':
      return { ...action, path: at(action.path, reads) };
    case 'delete-path':
      return { ...action, path: at(action.path, { follow: false, below: true, writes: true }) };
    case 'copy-path':
      return {
        ...action,
        from: at(action.from, { ...reads, below: true }),
        to: at(action.to, writes),
      };
    case 'move-path':
      return {
        ...action,
        from: at(action.from, { follow: false, below: true, writes: true }),
        to: at(action.to, { ...writes, follow: false }),
      };
    case 'list-files': {
      const folder = /^((?:[^*?[{/]*\/)*)/.exec(action.pattern)?.[1] ?? '';
      at(folder === '' ? '.' : folder, reads);
      return action;
    }
    default:
      return action;
  }
}
