import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from './errors.ts';
import { type Env, findWorkspace, homeOf } from './places.ts';

/** What a person typed as a path, as a shell would read it: `~` is their home, blanks around it are none of it. */
function typedPath(cwd: string, text: string, env: Env): string {
  const typed = text.trim();
  return resolve(
    cwd,
    typed.replace(/^~(?=\/|$)/, () => homeOf(env)),
  );
}

/** Likewise, of the folder that a run may touch. Never another one than was typed. */
export function typedWorkspace(cwd: string, text: string, env: Env): string {
  if (text.trim() === '') throw new AppError('workspace-missing', 'say which folder the run may touch');
  return findWorkspace('/', typedPath(cwd, text, env));
}

/** Folders whose path begins with what was typed so far, hidden ones only where a dot was typed; at most so many. */
export function foldersLike(cwd: string, text: string, env: Env, most = 50): string[] {
  const path = typedPath(cwd, text, env);
  const isWhole = /(^|\/)~?\s*$/.test(text);
  const [above, begins] = isWhole ? [path, ''] : [dirname(path), basename(path)];
  try {
    return readdirSync(above, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(begins))
      .filter(({ name }) => begins.startsWith('.') || !name.startsWith('.'))
      .map(({ name }) => join(above, name))
      .toSorted()
      .slice(0, most);
  } catch {
    // What cannot be listed has nothing to propose.
    return [];
  }
}
