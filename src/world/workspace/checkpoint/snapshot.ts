import { existsSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { CheckpointError, codeOf } from './errors.ts';
import { type FolderRecord, stampOf } from './folder-record.ts';
import type { KeptOracle } from './ignored.ts';
import { TICK_MS } from './index-stats.ts';
import { tryLstat } from './inside.ts';
import { buildManifest, type Defaults, isExecutable, type Manifest, usualMode } from './manifest.ts';
import { type GitObject, writeDurably, writeObjects } from './objects.ts';
import { within } from './path-bytes.ts';
import { type CheckpointPlace, findPlace, outerIgnoreFiles } from './place.ts';
import { adoptObjects, openQuarantine } from './quarantine.ts';
import { noteUnreadable, type Scanned, scan } from './scan.ts';
import { loadScanState, ruleStamp, type ScanState, saveScanState } from './scan-state.ts';
import { adoptIndex, isUntouched, privateIndex, stage, treeOf } from './stage.ts';
import { type StagedHere, stageHere } from './stage-here.ts';
import type { CheckpointLimits, OnPoint } from './types.ts';

export interface TreeSnapshot {
  /** Git's tree of all covered files. */
  tree: string;
  manifest: Manifest;
}

/** A snapshot of which something is yet to be written: its objects first, all together with whatever else is due. */
export interface PreparedSnapshot extends TreeSnapshot {
  objects: GitObject[];
  /** Once its objects are on the disk: the next one begins from here. */
  settle(): void;
}

export interface SnapshotSpec {
  /** The folder of this workspace's checkpoints. */
  root: string;
  gitDir: string;
  workspace: string;
  limits: CheckpointLimits;
  /** The data folder: never covered. */
  own: string;
  onPoint: OnPoint;
  /** How old a change must be for its time to tell it from the next one. */
  trustAfterMs: number;
  oracles: KeptOracle;
  signal?: AbortSignal;
}

/** See `prepareSnapshot`; with all of it written. */
export async function takeSnapshot(spec: SnapshotSpec): Promise<TreeSnapshot> {
  const prepared = await prepareSnapshot(spec);
  await settleSnapshot(spec, prepared);
  return prepared;
}

export async function settleSnapshot(
  { gitDir }: SnapshotSpec,
  { objects, settle }: PreparedSnapshot,
): Promise<void> {
  await writeObjects(gitDir, objects);
  settle();
}

/**
 * Takes in what changed in the workspace since the last snapshot. The caller holds the lock. Points: `scanned`,
 * `staged`, `tree`, `indexed`, `snapshot`. A kill anywhere costs the next one time and nothing else: the index is replaced
 * whole, and a scan state that does not belong to the index is not used.
 */
export async function prepareSnapshot(spec: SnapshotSpec): Promise<PreparedSnapshot> {
  if (tryLstat(spec.workspace) === null)
    throw new CheckpointError('workspace-missing', `${spec.workspace} is no folder any more.`);
  const place = { ...(await findPlace(spec.workspace, spec.gitDir)), signal: spec.signal };
  try {
    return await snapshot(spec, place, loadScanState(spec.root, place));
  } catch (error) {
    if (spec.signal?.aborted) throw new CheckpointError('aborted', 'The checkpoint was not wanted any more.');
    if (codeOf(error) !== 'git-failed') throw error;
    // The index or an object is damaged: begin from nothing, once.
    rmSync(join(spec.gitDir, 'index'), { force: true });
    return snapshot(spec, place, null);
  }
}

async function snapshot(
  spec: SnapshotSpec,
  place: CheckpointPlace,
  old: ScanState | null,
): Promise<PreparedSnapshot> {
  const { limits, own, onPoint } = spec;
  const { trustAfterMs, oracles } = spec;
  const trustBefore = Date.now() - trustAfterMs;
  const scanned = await scan({ place, limits, own, old, trustBefore, trustAfterMs, oracles });
  onPoint('scanned');
  spec.signal?.throwIfAborted();
  const { tree, objects, adopt } = await takeIn(spec, place, scanned, old);
  const { records, add, gone, held, isWhole, userIndex } = scanned;
  const defaults = readDefaults(spec.root) ?? (await setDefaults(spec.root, usualModes(records, add)));
  const fileModes = new Map(isWhole ? [] : old?.fileModes);
  for (const path of gone) fileModes.delete(path);
  for (const [path, stats] of add) noteMode(fileModes, defaults, path, stats);
  const rules = rulesOf(place, records, trustBefore);
  const young = youngOf(new Map([...scanned.alike, ...add]), trustBefore + trustAfterMs);
  const settle = (): void => {
    adopt();
    saveScanState(spec.root, place, { tree, records, fileModes, rules, userIndex, held: [...held], young });
    onPoint('snapshot');
  };
  return { tree, objects, settle, manifest: buildManifest({ records, defaults, fileModes, held }) };
}

async function takeIn(
  { root, onPoint }: SnapshotSpec,
  place: CheckpointPlace,
  scanned: Scanned,
  old: ScanState | null,
): Promise<Pick<StagedHere, 'tree' | 'objects' | 'adopt'>> {
  const { add, gone, unlike } = scanned;
  const written = (tree: string) => ({ tree, objects: [], adopt: () => {} });
  if (old !== null && add.size === 0 && gone.size === 0) return written(old.tree);
  const here = old === null ? null : stageHere(place, old.tree, { add, gone }, onPoint);
  if (here !== null) {
    noteUnreadable(scanned, here.unreadable);
    return here;
  }
  const staging = { index: privateIndex(place), quarantine: openQuarantine(root) };
  noteUnreadable(scanned, await stage(place, staging, { add: [...add.keys()], unlike, gone: [...gone] }));
  onPoint('staged');
  if (old !== null && isUntouched(place, staging.index)) {
    rmSync(staging.index, { force: true });
    rmSync(staging.quarantine, { recursive: true, force: true });
    return written(old.tree);
  }
  const tree = await treeOf(place, staging);
  onPoint('tree');
  await adoptObjects(place, staging.quarantine);
  if (existsSync(staging.index)) adoptIndex(place, staging.index);
  onPoint('indexed');
  return written(tree);
}

const defaultsFile = (root: string): string => join(root, 'defaults.json');

function readDefaults(root: string): Defaults | null {
  try {
    return JSON.parse(readFileSync(defaultsFile(root), 'utf8'));
  } catch {
    return null;
  }
}

/** Set once: manifests are compared by what differs from the usual modes. */
async function setDefaults(root: string, defaults: Defaults): Promise<Defaults> {
  await writeDurably(defaultsFile(root), JSON.stringify(defaults));
  return defaults;
}

function noteMode(modes: Map<string, number>, defaults: Defaults, path: string, stats: Stats): void {
  const mode = stats.mode & 0o7777;
  if (stats.isFile() && mode !== usualMode(defaults, mode)) modes.set(path, mode);
  else modes.delete(path);
}

/** Within two seconds, because the times that git keeps have no fractions. `began`: before any of them was looked at. */
const youngOf = (looked: Map<string, Stats>, began: number): ScanState['young'] =>
  [...looked].flatMap(([path, stats]): ScanState['young'] =>
    stats.isFile() && stats.ctimeMs > began - 2_000
      ? [[path, stats.ctimeMs + TICK_MS < began ? stampOf(stats) : '']]
      : [],
  );

function mostOf(modes: Iterable<number>, otherwise: number): number {
  const counts = new Map<number, number>();
  for (const mode of modes) counts.set(mode, (counts.get(mode) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? otherwise;
}

function usualModes(records: Map<string, FolderRecord>, files: Map<string, Stats>): Defaults {
  const modes = [...files.values()].filter((stats) => stats.isFile()).map((stats) => stats.mode & 0o7777);
  return {
    file: mostOf(
      modes.filter((mode) => !isExecutable(mode)),
      0o644,
    ),
    exec: mostOf(modes.filter(isExecutable), 0o755),
    folder: mostOf(
      [...records.values()].map(({ mode }) => mode),
      0o755,
    ),
  };
}

function rulesOf(
  place: CheckpointPlace,
  records: Map<string, FolderRecord>,
  trustBefore: number,
): Record<string, string> {
  const rules: Record<string, string> = {};
  for (const path of outerIgnoreFiles(place)) rules[path] = ruleStamp(path, trustBefore);
  for (const [path, record] of records) {
    if (record.rules !== true) continue;
    const file = within(place.workspace, within(path, '.gitignore'));
    rules[file] = ruleStamp(file, trustBefore);
  }
  return rules;
}
