import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from './errors.ts';
import { readIfThere, writePrivate } from './files.ts';
import type { Places } from './places.ts';

/*
 * What Planwright obeys lies in files that every process of the user can write. Of each it is kept what it held when a
 * person last said so: through a command, on the page, or by `planwright trust`. That holds, whatever becomes of the file,
 * until a person agrees to what it has become. This record lies in the store, which no step may touch.
 */

/** Texts by path; null for a file that was not there. */
type Agreed = Readonly<Record<string, string | null>>;

const recordOf = ({ data }: Places): string => join(data, 'agreed.json');

/** The user's own: rules, settings, the list of trusted folders, and servers of tools. */
export const ownFiles = ({ rules, userConfig, trust, mcp }: Places): string[] => [
  rules,
  userConfig,
  trust,
  mcp,
];

/** What a folder may bring along. */
export const folderFiles = (folder: string): string[] => [
  ...['config.yaml', 'rules.yaml', 'rules.local.yaml'].map((name) => join(folder, '.planwright', name)),
  join(folder, '.mcp.json'),
];

/** Null where nothing has been run yet: what is there then is the person's. A damaged one agrees to nothing. */
function read(places: Places): Agreed | null {
  const text = readIfThere(recordOf(places));
  if (text === null) return existsSync(join(places.data, 'planwright.db')) ? {} : null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Agreed) : {};
  } catch {
    return {};
  }
}

export interface Obeyed {
  /** What a person agreed to; undefined where nobody was ever asked. */
  agreed: string | null | undefined;
  /** What the file holds. */
  now: string | null;
  isAsAgreed: boolean;
}

export function obeyed(places: Places, path: string, isOwn = true): Obeyed {
  const now = readIfThere(path);
  const record = read(places);
  const agreed = record === null && isOwn ? now : record?.[path];
  return { agreed, now, isAsAgreed: agreed === now || (agreed === undefined && now === null) };
}

/** The files among these that hold something else than was agreed to, in a sentence for people; null where none does. */
export function changedSentence(places: Places, paths: readonly string[], say: string): string | null {
  const changed = paths.filter((path) => !obeyed(places, path).isAsAgreed);
  if (changed.length === 0) return null;
  return `${changed.join(' and ')}: changed, and nobody has agreed to that, so what was agreed on before holds. Look at it, then: ${say}`;
}

/**
 * What is there when the first run begins is agreed to: nobody but the person can have put it there. Where it cannot be
 * kept nothing is agreed to, and the store, which is to be made beside it, says what is the matter.
 */
export async function agreeAtFirst(places: Places): Promise<void> {
  if (read(places) !== null) return;
  const { startedHere } = await import('./asker.ts');
  if (startedHere(places.data) !== null) return;
  try {
    keep(places, ownFiles(places));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-kept') throw error;
  }
}

/** Keeps what the files hold now as what a person agreed to. Rejects with an AppError where a run started this process. */
export async function agreeTo(places: Places, paths: readonly string[]): Promise<void> {
  await mustBePerson(places);
  keep(places, paths);
}

/**
 * Changes one of them. Rejects with an AppError where it is no longer what was agreed to: that is to be looked at first,
 * unless nothing of it is kept (`wholly`).
 */
export async function rewrite(
  places: Places,
  path: string,
  change: (before: string | null) => string,
  { wholly = false } = {},
): Promise<void> {
  await mustBePerson(places);
  const { now, isAsAgreed } = obeyed(places, path);
  if (!wholly && !isAsAgreed) {
    throw new AppError('config-invalid', changedSentence(places, [path], 'planwright trust --own')!);
  }
  writePrivate(path, change(now));
  keep(places, [path]);
}

function keep(places: Places, paths: readonly string[]): void {
  const before = read(places);
  const known = before === null ? [...ownFiles(places), ...paths] : paths;
  const now = Object.fromEntries(known.map((path) => [path, readIfThere(path)]));
  writePrivate(recordOf(places), `${JSON.stringify({ ...before, ...now }, null, 2)}\n`);
}

/** Those who change something load who may; most only look. */
export async function mustBePerson(places: Places): Promise<void> {
  const { limitedBy, mustAllow, ownerAt, startedHere } = await import('./asker.ts');
  mustAllow(limitedBy(ownerAt('library'), startedHere(places.data)), 'decide');
}
