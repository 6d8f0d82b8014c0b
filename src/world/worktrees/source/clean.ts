import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesIn } from '../gc.ts';
import { carryIn, runsIn } from './folder.ts';
import { mirrorsIn } from './mirror.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What is known of the run that a folder was made for. */
export type OwnerOfFolder = 'gone' | 'ended' | 'elsewhere' | 'here';

/** How many days after its last use each goes. One that a run works in stays, and so does one whose run is just being made. */
export const keptDays: Readonly<Record<OwnerOfFolder, number>> = {
  gone: 1,
  ended: 1,
  elsewhere: 1,
  here: Number.POSITIVE_INFINITY,
};

export interface Cleaning {
  cache: string;
  now: number;
  /** Days that a repository is kept which no folder reads. */
  mirrorDays: number;
  ownerOf(run: string, folders: readonly string[]): Promise<OwnerOfFolder>;
}

export interface Cleaned {
  /** Folders of runs, and repositories. */
  removed: string[];
  bytes: number;
}

/** Removes what this machine has kept for runs of git sources, by the table above. */
export async function cleanCache({ cache, now, mirrorDays, ownerOf }: Cleaning): Promise<Cleaned> {
  const cleaned: Cleaned = { removed: [], bytes: 0 };
  const isOld = (path: string, days: number): boolean => now - lastUse(path) >= days * DAY;
  const remove = async (path: string) => {
    cleaned.bytes += await bytesIn(path);
    rmSync(path, { recursive: true, force: true });
    cleaned.removed.push(path);
  };
  const read = new Set<string>();
  for (const home of foldersIn(runsIn(cache))) {
    const run = /([^/]+?)(\.left-\d+)?$/.exec(home)!;
    const folders = foldersIn(home).filter((folder) => folder !== carryIn(home));
    const owner = await ownerOf(run[1]!, folders);
    // What was put aside when the run came back is nobody's folder.
    const days = keptDays[owner === 'here' && run[2] !== undefined ? 'elsewhere' : owner];
    if (isOld(home, days)) await remove(home);
    else for (const folder of folders) for (const mirror of readBy(folder)) read.add(mirror);
  }
  for (const mirror of foldersIn(mirrorsIn(cache)))
    if (!read.has(mirror) && isOld(mirror, mirrorDays)) await remove(mirror);
  return cleaned;
}

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : [];

/** Each attempt writes to what it carries; a mirror is touched whenever it is asked for a commit. */
const lastUse = (path: string): number =>
  Math.max(...[path, carryIn(path)].map((each) => lstatSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0));

function readBy(folder: string): string[] {
  try {
    const text = readFileSync(join(folder, '.git/objects/info/alternates'), 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [dirname(line)]));
  } catch {
    return [];
  }
}
