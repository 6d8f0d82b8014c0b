import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MOST_NAMES = 50;

/** Files and folders of the workspace whose path begins with what was typed; folders end in a slash. Never throws. */
export function filesLike(workspace: string, typed: string): string[] {
  const folder = typed.endsWith('/') ? typed : dirname(typed);
  const start = typed.endsWith('/') ? '' : basename(typed);
  if (folder.startsWith('/') || folder.split('/').includes('..')) return [];
  try {
    const [root, there] = [realpathSync(workspace), realpathSync(join(workspace, folder))];
    // A link may lead out of it.
    if (there !== root && !there.startsWith(`${root}/`)) return [];
    const above = folder === '.' ? '' : `${folder.replace(/\/$/, '')}/`;
    return readdirSync(there, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && name !== '.git' && name !== 'node_modules')
      .slice(0, MOST_NAMES)
      .map((entry) => `${above}${entry.name}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    return [];
  }
}
