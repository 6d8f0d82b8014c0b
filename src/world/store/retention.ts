import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { toStoreError } from './errors.ts';
import { keyOf } from './migrations.ts';
import { runFolder } from './output-files.ts';

export interface GcOptions {
  now: number;
  /** Runs that ended within so many days stay. */
  keepDays?: number;
  /** So many of the runs that ended last stay, however old they are. */
  keepRuns?: number;
  /** Says what would be removed, and removes nothing. */
  dryRun?: boolean;
}

export interface GcResult {
  /** The runs removed, the one that ended first leading. */
  runs: string[];
  events: number;
  blobs: number;
  /** Bytes of events, blobs and output logs. */
  freedBytes: number;
}

export const defaultKeepDays = 30;
export const defaultKeepRuns = 20;
const day = 24 * 60 * 60 * 1000;

interface Candidate {
  stream: number;
  id: string;
}

/**
 * Removes runs that have finished. A run that has not, however old, is never touched; nor is one that a
 * living driver still holds. Each run goes in a transaction of its own, which looks again before it removes.
 */
export async function collectGarbage(
  db: Database,
  outputRoot: string,
  options: GcOptions,
): Promise<GcResult> {
  const { now, keepDays = defaultKeepDays, keepRuns = defaultKeepRuns, dryRun = false } = options;
  const sql = await db.read(() => statements(db));
  const candidates = await db.read(
    () => sql.candidates.all({ now, endedBefore: now - keepDays * day, keepRuns }) as unknown as Candidate[],
  );
  const result: GcResult = { runs: [], events: 0, blobs: 0, freedBytes: 0 };

  for (const { stream, id } of candidates) {
    const folder = runFolder(outputRoot, id);
    const measure = () => {
      const events = sql.eventBytes.get(keyOf(stream, 0), keyOf(stream + 1, 0)) as {
        n: number;
        bytes: number;
      };
      const blobs = sql.blobBytes.get(stream) as { n: number; bytes: number };
      result.runs.push(id);
      result.events += events.n;
      result.blobs += blobs.n;
      result.freedBytes += events.bytes + blobs.bytes + folderBytes(folder);
    };
    if (dryRun) await db.read(measure);
    else {
      await db.write(() => {
        if (!sql.isFinished.get({ now, stream, id })) return;
        measure();
        const newest = sql.newest.get()?.['pos'] as number;
        sql.removeEvents.run(keyOf(stream, 0), keyOf(stream + 1, 0));
        for (const statement of sql.remove) statement.run(stream);
        sql.forgetPlaces.run();
        sql.keepPlace.run(newest);
        sql.throwAway.run(folder);
      });
    }
  }
  if (!dryRun) {
    await emptyTrash(db);
    if (result.runs.length > 0) await db.shrink();
  }
  return result;
}

/** Removes the files of runs that are gone, those of an interrupted earlier call too. */
async function emptyTrash(db: Database): Promise<void> {
  const paths = await db.read(() => db.prepare('SELECT path FROM trash').all());
  const forget = db.prepare('DELETE FROM trash WHERE path = ?');
  for (const { path } of paths) {
    try {
      rmSync(String(path), { recursive: true, force: true });
    } catch (error) {
      throw toStoreError(error, String(path));
    }
    await db.write(() => forget.run(path as string));
  }
}

function folderBytes(folder: string): number {
  try {
    return readdirSync(folder).reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
  } catch {
    return 0;
  }
}

/** `ended_at` alone would not do: a finished run that a person has taken up again is not finished. */
const finished = `r.ended_at IS NOT NULL AND r.state IN ('done', 'failed', 'cancelled')
  AND NOT EXISTS (
    SELECT 1 FROM claims c JOIN processes p ON p.id = c.process
    WHERE c.stream = r.stream AND p.beat_at + p.ttl > :now)`;

const statements = (db: Database) => ({
  candidates: db.prepare(`
    SELECT stream, id FROM (
      SELECT r.stream, r.id, r.ended_at, row_number() OVER (ORDER BY r.ended_at DESC, r.id DESC) AS place
      FROM runs r WHERE ${finished}
    ) WHERE ended_at < :endedBefore AND place > :keepRuns ORDER BY ended_at, id`),
  isFinished: db.prepare(`SELECT 1 FROM runs r WHERE r.stream = :stream AND r.id = :id AND ${finished}`),
  eventBytes: db.prepare(
    'SELECT count(*) AS n, coalesce(sum(length(body)), 0) AS bytes FROM events WHERE key > ? AND key < ?',
  ),
  blobBytes: db.prepare(`
    SELECT count(*) AS n, coalesce(sum(length(b.text)), 0) AS bytes FROM blobs b
    WHERE b.hash IN (SELECT hash FROM blob_refs WHERE stream = ?1)
    AND NOT EXISTS (SELECT 1 FROM blob_refs o WHERE o.hash = b.hash AND o.stream <> ?1)`),
  newest: db.prepare('SELECT max(pos) AS pos FROM appends'),
  // Positions go on from the greatest there is: where that one was removed, an append of no stream holds its place.
  keepPlace: db.prepare(`
    INSERT INTO appends (pos, stream, id, seq, count) SELECT ?1, 0, 'gc-' || ?1, 0, 0
    WHERE coalesce((SELECT max(pos) FROM appends), 0) < ?1`),
  forgetPlaces: db.prepare('DELETE FROM appends WHERE stream = 0'),
  removeEvents: db.prepare('DELETE FROM events WHERE key > ? AND key < ?'),
  remove: [
    db.prepare(`
      DELETE FROM blobs WHERE hash IN (SELECT hash FROM blob_refs WHERE stream = ?1)
      AND NOT EXISTS (SELECT 1 FROM blob_refs o WHERE o.hash = blobs.hash AND o.stream <> ?1)`),
    db.prepare('DELETE FROM blob_refs WHERE stream = ?'),
    db.prepare('DELETE FROM claims WHERE stream = ?'),
    db.prepare('DELETE FROM folder_claims WHERE stream = ?'),
    db.prepare('DELETE FROM appends WHERE stream = ?'),
    db.prepare('DELETE FROM runs WHERE stream = ?'),
    db.prepare('DELETE FROM run_texts WHERE rowid = ?'),
    db.prepare('DELETE FROM model_trials WHERE stream = ?'),
    db.prepare('DELETE FROM streams WHERE id = ?'),
  ],
  throwAway: db.prepare('INSERT OR IGNORE INTO trash (path) VALUES (?)'),
});
