import type { NameFilter, Target } from '../../../core/shell/index.ts';
import type { Field } from './expand-word.ts';
import { byWords, type PathKind, type Real, type RealPaths } from './real-paths.ts';
import type { SeenCommands } from './unknown-paths.ts';

/** A place in the world that an action would touch. */
export interface Touch {
  /** Absolute and real. */
  path: string;
  kind: PathKind;
  /** It is a link that is meant itself; this is where it leads. */
  leadsTo?: string;
  below: boolean;
  writes: boolean;
  filter?: NameFilter;
}

/** What a resolution found, gathered over all of its commands. */
export interface Touched {
  touches: Touch[];
  /** Words that name paths and could not be resolved, as written. */
  unresolved: Set<string>;
  seen: SeenCommands;
}

/** Streams, and what only the shell takes for a path: nothing of the file system is touched, whatever links say. */
export const isStream = (path: string): boolean =>
  /^\/dev\/(?:null|zero|u?random|stdout|stderr|stdin|tty|fd\/\d+|tcp\/.*|udp\/.*)$/.test(path);

/**
 * Notes what one word would touch. Answers with the word to judge in its place where a link makes the place another
 * one than it seems to be; undefined where it is what it says.
 */
export function noteTouch(
  field: Field,
  target: Omit<Target, 'index'>,
  cwd: string,
  real: RealPaths,
  found: Touched,
): string | undefined {
  const text = field.value.slice(target.skip);
  if (text === '' || text.includes('\0') || text.length > 4096 || isStream(text)) return undefined;
  const base = real.find(cwd, true).path;
  const written = text.startsWith('/') ? text : `${base}/${text}`;
  const at = field.kind ? beside(written, field.kind, real) : real.find(written, target.follow);
  const { below, writes, filter } = target;
  found.touches.push({
    path: at.path,
    kind: at.kind,
    below,
    writes,
    ...(at.leadsTo === undefined ? {} : { leadsTo: at.leadsTo }),
    ...(filter ? { filter } : {}),
  });
  if (at.path === written || at.path === byWords(written)) return undefined;
  return field.value.slice(0, target.skip) + at.path + (/\/$/.test(text) && at.path !== '/' ? '/' : '');
}

/** A name that was just read in its folder and is no link: only the folder has to be found. */
function beside(path: string, kind: PathKind, real: RealPaths): Real {
  const slash = path.lastIndexOf('/');
  const folder = real.find(path.slice(0, slash + 1), true).path;
  return { path: `${folder === '/' ? '' : folder}${path.slice(slash)}`, kind };
}
