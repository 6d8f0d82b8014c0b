import { normalise, resolvePath } from '../paths.ts';
import type { ShellScope } from '../scope.ts';

/**
 * Whether a person trusts what this folder holds: the settings and the code that programs take from where they are.
 * Trust is given to a workspace. It ends for the rest of the text where a `cd` leaves it or may have left it.
 */
export function isTrusted(scope: ShellScope, path = '.'): boolean {
  const { trusted, trusts } = scope.context;
  if (trusted !== true || scope.place.strayed || !isInside(path, scope)) return false;
  const folder = path === '.' ? scope.cwd : normalise(path.startsWith('/') ? path : `${scope.cwd}/${path}`);
  return trusts?.(folder) ?? true;
}

/** Below the workspace, as far as the text tells. */
export function isInside(path: string, scope: ShellScope): boolean {
  const { context } = scope;
  const full = resolvePath(path, scope);
  if (!/^[/~]/.test(full)) return !/(?:^|\/)\.\.(?:\/|$)/.test(full);
  const root = context.workspace ?? context.cwd;
  if (root === undefined) return false;
  const folder = resolvePath(root, { context, cwd: undefined });
  return full === folder || full.startsWith(`${folder}/`);
}
