import { existsSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type FolderRecord, stampOf } from './folder-record.ts';
import type { KeptOracle } from './ignored.ts';
import { lstatInside, tryLstat } from './inside.ts';
import { nameOf, parentOf, within } from './path-bytes.ts';
import type { CheckpointPlace } from './place.ts';
import { isSameRule, ruleStamp, type ScanState } from './scan-state.ts';
import { heldPaths, readIndex, trackedIgnored } from './stage.ts';
import type { CheckpointLimits } from './types.ts';
import { type Walked, walk } from './walk.ts';

export interface Scanned {
  records: Map<string, FolderRecord>;
  /** To be put into the index. */
  add: Map<string, Stats>;
  /** Those of them that git, which compares seconds, may take for what the index has. */
  unlike: Set<string>;
  /** Those that were young the last time and are as they were then. */
  alike: Map<string, Stats>;
  /** To be taken out of it. */
  gone: Set<string>;
  /** Covered although ignored: tracked by the user, or covered before a rule came to name it. */
  held: Set<string>;
  /** Nothing was skipped for being as before. */
  isWhole: boolean;
  /** Of the user's index. */
  userIndex: string;
}

export interface ScanSpec {
  place: CheckpointPlace;
  limits: CheckpointLimits;
  own: string;
  old: ScanState | null;
  /** What changed before this has a time that tells it from its next change. */
  trustBefore: number;
  trustAfterMs: number;
  oracles: KeptOracle;
}

/**
 * Finds what differs from the index. What was covered once stays covered, even if an ignore file comes to name it:
 * else a step that edits .gitignore would seem to have removed files.
 */
export async function scan(spec: ScanSpec): Promise<Scanned> {
  const { place, old, trustBefore } = spec;
  const hasIndex = existsSync(join(place.gitDir, 'index'));
  const rules = Object.entries(old?.rules ?? {});
  const rulesHold = old !== null && rules.every(([path, stamp]) => isSameRule(path, stamp));
  // Where everything is read, what is held and not met is looked at by name.
  const index = rulesHold ? await readIndex(place) : null;
  const { unlike, alike } = lookAtYoung(place, old?.young ?? []);
  const touched = index === null ? [] : [...new Set([...index.touched, ...unlike])];
  // Where all is read anew, git tells of the index meanwhile.
  const heldSoon = rulesHold || !hasIndex ? null : begun(heldPaths(place));
  const trackedSoon = rulesHold || place.userIndex === null ? null : begun(trackedIgnored(place));
  const heldBefore = new Set(old?.held);
  const isCovered = (path: string) => index?.held.has(path) === true && !heldBefore.has(path);
  const { walked, isWhole } = await look(spec, rulesHold ? old.records : new Map(), touched, isCovered);
  const held = new Set(isWhole ? [] : old?.held);
  if (isWhole && hasIndex)
    for (const path of await (heldSoon ?? heldPaths(place))) if (!walked.files.has(path)) held.add(path);
  const { add, gone } = sort(spec, walked, isWhole ? [...held] : touched);
  // A folder that is looked at again has files that are as they were: they need not be put in once more.
  if (!isWhole) for (const path of index?.same ?? []) add.delete(path);

  const userIndex = place.userIndex === null ? '' : ruleStamp(place.userIndex, trustBefore);
  const isSameIndex = isSameRule(place.userIndex ?? '', old?.userIndex ?? '');
  if (place.userIndex !== null && (isWhole || !isSameIndex))
    for (const path of await (trackedSoon ?? trackedIgnored(place))) takeIn(spec, path, add, held);
  for (const path of gone) held.delete(path);
  return { records: walked.records, add, unlike, alike, gone, held, isWhole, userIndex };
}

/** Where nobody comes to wait for it, nobody hears that it failed either. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

const isFile = (stats: Stats | null): stats is Stats =>
  stats !== null && (stats.isFile() || stats.isSymbolicLink());

function takeIn({ place, limits }: ScanSpec, path: string, add: Map<string, Stats>, held: Set<string>): void {
  if (add.has(path)) return;
  const stats = lstatInside(place.workspace, path);
  if (!isFile(stats) || stats.size > limits.fileBytes) return;
  add.set(path, stats);
  held.add(path);
}

async function look(
  { place, limits, own, trustAfterMs, oracles }: ScanSpec,
  known: Map<string, FolderRecord>,
  touched: string[],
  isCovered: (path: string) => boolean,
): Promise<{ walked: Walked; isWhole: boolean }> {
  const dirty = new Set(touched.map(parentOf));
  for (const [path, record] of known) if (hasChangedInside(place, path, record)) dirty.add(path);
  const common = { place, limits, own, trustAfterMs };
  const rulesHold = known.size > 0;
  const walked = await walk({
    ...common,
    oracle: await oracles.at(place, rulesHold),
    known,
    dirty,
    isCovered,
  });
  if (walked !== null) return { walked, isWhole: !rulesHold };
  const again = await walk({
    ...common,
    oracle: await oracles.at(place, false),
    known: new Map(),
    dirty: new Set(),
    isCovered: () => false,
  });
  return { walked: again!, isWhole: true };
}

/**
 * Git compares seconds, and looks twice at bytes that changed in the same one, but not at modes, nor where the time of the bytes
 * was put back.
 */
function lookAtYoung(
  { workspace }: CheckpointPlace,
  young: ScanState['young'],
): Pick<Scanned, 'unlike' | 'alike'> {
  const found = { unlike: new Set<string>(), alike: new Map<string, Stats>() };
  for (const [path, stamp] of young) {
    const stats = lstatInside(workspace, path);
    if (stats !== null && stampOf(stats) === stamp) found.alike.set(path, stats);
    else found.unlike.add(path);
  }
  return found;
}

/** A file that is not covered is not in the index, so git does not say when it changes. */
function hasChangedInside(
  { workspace }: CheckpointPlace,
  path: string,
  { large, unreadable }: FolderRecord,
): boolean {
  if (unreadable.length > 0) return true;
  return large.some(([name, stamp]) => {
    const stats = tryLstat(within(workspace, within(path, name)));
    return stats === null || stats === 'hidden' || stampOf(stats) !== stamp;
  });
}

function sort(
  { place, limits }: ScanSpec,
  { files, large }: Walked,
  touched: string[],
): { add: Map<string, Stats>; gone: Set<string> } {
  const add = new Map(files);
  const gone = new Set(large);
  for (const path of touched) {
    if (add.has(path) || gone.has(path)) continue;
    const stats = lstatInside(place.workspace, path);
    if (isFile(stats) && stats.size <= limits.fileBytes) add.set(path, stats);
    else gone.add(path);
  }
  return { add, gone };
}

/** A file whose name git could not take in, or could not read. */
export const noteUnreadable = ({ records, add, held }: Scanned, paths: string[]): void => {
  for (const path of paths) {
    const record = records.get(parentOf(path));
    const size = add.get(path)?.size ?? 0;
    add.delete(path);
    if (held.delete(path) || record === undefined) continue;
    record.unreadable.push(nameOf(path));
    record.files -= 1;
    record.bytes -= size;
  }
};
