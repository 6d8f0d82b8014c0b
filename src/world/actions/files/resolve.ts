import { join } from 'node:path';
import type { SimpleAction, SingleAction } from '../../../core/contract/index.ts';
import {
  ConfinementError,
  type LocateOptions,
  locate,
  specialError,
  type Where,
} from '../../workspace/index.ts';
import { splitPattern } from './glob.ts';

export type FileAction = Extract<
  SimpleAction,
  {
    kind:
      | 'write-file'
      | 'append-file'
      | 'edit-file'
      | 'create-dir'
      | 'copy-path'
      | 'move-path'
      | 'delete-path'
      | 'list-files'
      | 'read-file';
  }
>;

/** How each field that is a path is walked to. A link that is copied, moved or deleted is meant itself. */
const walks: Record<FileAction['kind'], Readonly<Record<string, LocateOptions>>> = {
  'write-file': { path: { follow: true } },
  'append-file': { path: { follow: true } },
  'edit-file': { path: { follow: true } },
  'read-file': { path: { follow: true } },
  'create-dir': { path: { follow: true, partial: true } },
  'copy-path': { from: { follow: false }, to: { follow: false } },
  'move-path': { from: { follow: false }, to: { follow: false } },
  'delete-path': { path: { follow: false } },
  'list-files': {},
};

export const isFileAction = (action: SingleAction): action is FileAction => Object.hasOwn(walks, action.kind);

export interface Resolved {
  /** With every path as it really is, for the judge. */
  action: FileAction;
  paths: string[];
  /** Why it may not be done, whoever asks: it leads out of the workspace, or to something that is no file. */
  refusal: string | null;
}

/** Where a file action would really act. What does not exist yet is no refusal. Never throws. */
export function resolveFiles(action: FileAction, where: Where): Resolved {
  const fields: Record<string, unknown> = { ...action };
  const paths: string[] = [];
  try {
    for (const [field, options] of Object.entries(walks[action.kind])) {
      fields[field] = realPlace(String(fields[field]), where, options, isHarmless(action));
      paths.push(String(fields[field]));
    }
    if (action.kind === 'list-files') {
      const { base, rest } = splitPattern(action.pattern);
      fields['pattern'] = join(realPlace(base, where, { follow: true }, false), rest);
      paths.push(String(fields['pattern']));
    }
    return { action: fields as unknown as FileAction, paths, refusal: null };
  } catch (error) {
    const refusal = isRefusal(error) ? (error as Error).message : null;
    return { action, paths, refusal };
  }
}

/** Neither opens what it names. */
const isHarmless = ({ kind }: FileAction): boolean => kind === 'delete-path' || kind === 'move-path';

function realPlace(path: string, where: Where, options: LocateOptions, mayBeSpecial: boolean): string {
  const place = locate(where, path, { partial: true, ...options });
  place.close();
  if (place.entry.kind === 'special' && !mayBeSpecial) throw specialError(place.path, place.entry.stats);
  return join(place.path, ...place.rest);
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ConfinementError && ['outside', 'special', 'bad-path'].includes(error.code);
