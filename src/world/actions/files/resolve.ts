import { join } from 'node:path';
import { type PathUse, pathsOf, type SimpleAction } from '../../../core/contract/index.ts';
import {
  ConfinementError,
  type LocateOptions,
  locate,
  specialError,
  type Whereabouts,
} from '../../workspace/index.ts';
import { splitPattern } from './glob.ts';

/** How each path is walked to. A link that is copied, moved or deleted is meant itself; of a pattern, its folder. */
const walks: Readonly<Record<PathUse, LocateOptions & { mayBeSpecial?: true }>> = {
  read: { follow: true },
  write: { follow: true },
  edit: { follow: true },
  make: { follow: true, partial: true },
  // Neither opens what it names.
  delete: { follow: false, mayBeSpecial: true },
  'move-from': { follow: false, mayBeSpecial: true },
  'move-to': { follow: false, mayBeSpecial: true },
  'copy-from': { follow: false },
  'copy-to': { follow: false },
  list: { follow: true },
};

export interface ResolvedFile {
  /** With every path as it really is, for the judge. */
  action: SimpleAction;
  paths: string[];
  /** Why it may not be done, whoever asks: it leads out of the workspace, or to something that is no file. */
  refusal: string | null;
}

/** Where an action that names paths would really act. What does not exist yet is no refusal. Never throws. */
export function resolveFiles(action: SimpleAction, where: Whereabouts): ResolvedFile {
  const fields: Record<string, unknown> = { ...action };
  const paths: string[] = [];
  try {
    for (const { field, path, use } of pathsOf(action)) {
      const { base, rest } = use === 'list' ? splitPattern(path) : { base: path, rest: '' };
      const { mayBeSpecial = false, ...options } = walks[use];
      const real = join(realPlace(base, where, options, mayBeSpecial), rest);
      fields[field] = real;
      paths.push(real);
    }
    return { action: fields as unknown as SimpleAction, paths, refusal: null };
  } catch (error) {
    const refusal = isRefusal(error) ? (error as Error).message : null;
    return { action, paths, refusal };
  }
}

function realPlace(path: string, where: Whereabouts, options: LocateOptions, mayBeSpecial: boolean): string {
  const place = locate(where, path, { partial: true, ...options });
  place.close();
  if (place.entry.kind === 'special' && !mayBeSpecial) throw specialError(place.path, place.entry.stats);
  return join(place.path, ...place.rest);
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ConfinementError && ['outside', 'special', 'bad-path'].includes(error.code);
