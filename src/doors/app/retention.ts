import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChatRow,
  type ChatState,
  isSameHost,
  type Place,
  type RunState,
  turnsOf,
} from '../../core/contract/index.ts';
import { systemClock } from '../../world/store/index.ts';
import { CheckpointError } from '../../world/workspace/index.ts';
import type { Cleaned } from '../../world/worktrees/source/index.ts';
import type { App } from './app.ts';
import { checkpointsFolder, checkpointsOf } from './checkpoints.ts';
import { AppError } from './errors.ts';
import type { Places } from './places.ts';
import type { Asking } from './streams.ts';

/** Why a run that was named is not removed. */
export const STAYS = 'it has not ended, or what it started still runs';

/** A checkpoint may be younger than the fact that names it. */
const YOUNG_MS = 60 * 60 * 1000;

/** Forgets the checkpoints that no run needs any more, of every workspace. Answers how many there were. */
export async function expireCheckpoints(app: App, now = systemClock.now()): Promise<number> {
  let forgotten = 0;
  for (const { folder, workspace } of checkpointFolders(app.places)) {
    const rows = await app.runs.list({ workspace });
    const chats = await app.chats.list({ workspace });
    const guarded = await app.guards.list({ workspace });
    const runs = await Promise.all(rows.map(({ id }) => app.runs.state(id)));
    const talks = await Promise.all(chats.map(({ id }) => app.chats.state(id)));
    const sessions = await Promise.all(guarded.map(({ id }) => app.guards.state(id)));
    const needed = new Set([
      ...runs.flatMap(checkpointsIn),
      ...talks.flatMap(checkpointsInChat),
      ...sessions.flatMap(({ marks }) => marks.map(({ checkpoint }) => checkpoint)),
    ]);
    if (rows.length + chats.length + guarded.length === 0 && !existsSync(workspace))
      rmSync(folder, { recursive: true, force: true });
    else forgotten += await prune(app, workspace, needed, now - YOUNG_MS);
  }
  return forgotten;
}

async function prune(app: App, workspace: string, needed: Set<string>, since: number): Promise<number> {
  try {
    const checkpoints = await checkpointsOf(app.places, app.config.values)(workspace);
    try {
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

/** What `/undo` may still go back to. */
const checkpointsInChat = (state: ChatState): string[] =>
  turnsOf(state).flatMap(({ range }) =>
    range === null ? [] : [range.before, ...(range.after === null ? [] : [range.after])],
  );

/** Removes what this machine kept for runs of git sources and nobody needs any more. */
export async function cleanSources(app: App, now = systemClock.now()): Promise<Cleaned> {
  const { cleanCache } = await import('../../world/worktrees/source/index.ts');
  const here = app.driver.host;
  return cleanCache({
    cache: app.sources.cache,
    now,
    mirrorDays: Math.max(1, app.config.values['keep.days']),
    async ownerOf(run, folders) {
      const row = await app.streams.row(run);
      // Another run may have been begun in it.
      const guests = await Promise.all(folders.map((workspace) => app.runs.list({ workspace })));
      if (guests.flat().some(({ id, endedAt }) => id !== run && endedAt === null)) return 'here';
      if (row === null) return 'gone';
      if (row.endedAt !== null) return 'ended';
      const { place } = (await app.streams.state(run)) as { place: Place };
      return isSameHost(place.host, here) ? 'here' : 'elsewhere';
    },
  });
}

/** Longer than a turn takes to be stopped. */
const PATIENCE_MS = 60_000;

/** Removes a conversation for good: what it is at is stopped first. Its plans are runs and stay. Throws an AppError where it cannot. */
export async function removeChat(app: App, id: string, asking: Asking): Promise<void> {
  const isOpen = async () => (await app.streams.row<ChatRow>(id))?.endedAt === null;
  if (!(await app.chats.state(id)).closed) await app.chats.request(id, { type: 'close-requested' }, asking);
  const until = AbortSignal.timeout(PATIENCE_MS);
  while (!until.aborted) {
    if (await isOpen()) {
      const seq = await app.streams.lastSeq(id);
      await app.chats.driveAll(id, { signal: until });
      // Somebody else drives it.
      if (await isOpen())
        await app.streams.changed(id, seq, AbortSignal.any([until, AbortSignal.timeout(500)]));
      continue;
    }
    const { streams } = await app.gc({ only: [id] });
    if (streams.includes(id)) return;
    // Whoever brought it to its end lets go of it in a moment.
    await sleep(20);
  }
  throw new AppError('run-unfinished', `conversation ${id} stays: ${STAYS}`);
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
