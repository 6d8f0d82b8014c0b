import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '../../core/contract/index.ts';
import { systemClock } from '../../world/store/index.ts';
import { CheckpointError } from '../../world/workspace/index.ts';
import type { App } from './app.ts';
import { checkpointsFolder, checkpointsOf } from './checkpoints.ts';
import type { Places } from './places.ts';

/** A checkpoint may be younger than the fact that names it. */
const YOUNG_MS = 60 * 60 * 1000;

/** Forgets the checkpoints that no run needs any more, of every workspace. Answers how many there were. */
export async function expireCheckpoints(app: App): Promise<number> {
  let forgotten = 0;
  for (const { folder, workspace } of checkpointFolders(app.places)) {
    const rows = await app.runs.list({ workspace });
    const states = await Promise.all(rows.map(({ id }) => app.runs.state(id)));
    if (rows.length === 0 && !existsSync(workspace)) rmSync(folder, { recursive: true, force: true });
    else forgotten += await prune(app, workspace, new Set(states.flatMap(checkpointsIn)));
  }
  return forgotten;
}

async function prune(app: App, workspace: string, needed: Set<string>): Promise<number> {
  try {
    const checkpoints = await checkpointsOf(app.places, app.config.values)(workspace);
    try {
      const since = systemClock.now() - YOUNG_MS;
      const all = await checkpoints.list();
      const kept = all.filter(({ id, at }) => needed.has(id) || at > since).map(({ id }) => id);
      return kept.length === all.length ? 0 : await checkpoints.prune(kept);
    } finally {
      await checkpoints.close();
    }
  } catch (error) {
    // The folder is gone, or somebody works on it for long: the next time will do.
    if (error instanceof CheckpointError) return 0;
    throw error;
  }
}

/** All that a run may still be asked about. */
function checkpointsIn({ ranges, plan }: RunState): string[] {
  const own = ranges.flatMap(({ before, after }) => [before, ...(after === null ? [] : [after])]);
  const restored = (plan?.steps ?? []).flatMap(({ action }) =>
    action.kind === 'restore' ? action.ranges.flatMap(({ before, after }) => [before, after]) : [],
  );
  return [...own, ...restored];
}

function checkpointFolders(places: Places): { folder: string; workspace: string }[] {
  const root = checkpointsFolder(places);
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((name) => {
    const note = join(root, name, 'workspace');
    if (!existsSync(note)) return [];
    return [{ folder: join(root, name), workspace: readFileSync(note, 'utf8').replace(/\n$/, '') }];
  });
}

/** Where they are, of how many workspaces, and what they take. */
export function checkpointsPlace(places: Places): { folder: string; workspaces: number; bytes: number } {
  const folder = checkpointsFolder(places);
  return { folder, workspaces: checkpointFolders(places).length, bytes: bytesIn(folder) };
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const stats = entry.isFile()
      ? lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
      : undefined;
    return sum + (stats?.size ?? 0);
  }, 0);
}
