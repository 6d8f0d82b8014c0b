import { normalise } from '../paths.ts';
import type { PathClass } from './rule.ts';

const inside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

export function pathClass(path: string, workspace: string): PathClass {
  if (/[$`\u{FFFC}]|^~[^/]/u.test(path) && !path.startsWith('/')) return 'unknown';
  if (path.startsWith('~')) return 'home';
  if (!path.startsWith('/')) return normalise(path).startsWith('..') ? 'unknown' : 'relative';
  const full = normalise(path);
  if (inside(full, workspace)) return 'workspace';
  if (/^\/(?:tmp|var\/tmp|private\/tmp|var\/folders|private\/var\/folders)(?:\/|$)/.test(full))
    return 'temporary';
  return /^\/(?:home|Users)\/[^/]+|^\/root(?:\/|$)/.test(full) ? 'home' : 'system';
}

export interface PathPattern {
  /** The path itself is meant. */
  matches(path: string): boolean;
  /** Something below the path could be meant. */
  isBelow(path: string): boolean;
}

/** A pattern of a rule. Relative ones lie in the workspace; `*` stays within a name, `**` does not. */
export function pathPattern(glob: string, workspace: string): PathPattern {
  const full = normalise(/^[/~]/.test(glob) ? glob : `${workspace}/${glob}`);
  const source = full
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part === '?' ? '[^/]' : part.replace(/[\\^$.+()[\]{}|]/g, '\\$&');
    })
    .join('');
  const regexp = new RegExp(`^${source}$`, 's');
  const fixed = full.slice(0, `${full}*`.search(/[*?]/)).replace(/\/[^/]*$/, '');
  const place = (path: string): string => normalise(/^[/~]/.test(path) ? path : `${workspace}/${path}`);
  return {
    matches: (path) => regexp.test(place(path)),
    isBelow: (path) => inside(fixed, place(path)) || inside(full, place(path)),
  };
}
