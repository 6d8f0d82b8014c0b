import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, GcOptions, GcResult } from '../../../core/stream/index.ts';
import { toStoreError } from '../errors.ts';
import { streamFolder } from '../output/files.ts';
import { tooOld } from '../retention-rules.ts';
import { selectNewest } from './append.ts';
import type { Database } from './database.ts';
import type { Owners } from './owners.ts';
import { keyOf } from './schema.ts';

interface Ended {
  stream: number;
  id: string;
  kind: string;
  endedAt: number;
  process: string | null;
}

/** Each stream goes in a transaction of its own, which looks again before it removes. */
export async function collectGarbage(
  db: Database,
  owners: Owners,
  clock: Clock,
  outputRoot: string,
  options: GcOptions,
): Promise<GcResult> {
  const { dryRun = false } = options;
  const sql = await db.read(() => statements(db));
  const found = await db.read(() => {
    const ended = sql.ended.all() as unknown as Ended[];
    return tooOld(ended, clock.now(), options).filter(({ process }) => owners.isFree(process));
  });
  const result: GcResult = { streams: [], events: 0, blobs: 0, freedBytes: 0 };

  const remove = async ({ stream, id }: Ended) => {
    const folder = streamFolder(outputRoot, id);
    const measure = () => {
      const events = sql.eventBytes.get(keyOf(stream, 0), keyOf(stream + 1, 0)) as {
        n: number;
        bytes: number;
      };
      const blobs = sql.blobBytes.get(stream) as { n: number; bytes: number };
      return { events, blobs, bytes: events.bytes + blobs.bytes + folderBytes(folder) };
    };
    const take = () =>
      db.write(() => {
        const now = sql.stillEnded.get(stream, id) as Pick<Ended, 'process'> | undefined;
        if (now === undefined || !owners.isFree(now.process)) return null;
        const measured = measure();
        sql.use.run(stream);
        sql.removeEvents.run(keyOf(stream, 0), keyOf(stream + 1, 0));
        for (const statement of sql.remove) statement.run(stream);
        sql.throwAway.run(folder);
        return measured;
      });
    const measured = await (dryRun ? db.read(measure) : take());
    if (measured === null) return;
    result.streams.push(id);
    result.events += measured.events.n;
    result.blobs += measured.blobs.n;
    result.freedBytes += measured.bytes;
  };
  for (const ended of found) {
    await remove(ended).catch((error: unknown) => {
      if (toStoreError(error, db.file).code !== 'disk-full') throw error;
      result.freedBytes += found.reduce((sum, { id }) => sum + discard(streamFolder(outputRoot, id)), 0);
      return remove(ended);
    });
  }
  if (!dryRun) {
    await emptyTrash(db);
    if (result.streams.length > 0) {
      await db.write(() => sql.forgetChanges.run());
      await db.shrink();
    }
  }
  return result;
}

/** Removing takes room too: where there is none, the logs of all that is about to be removed go first. */
function discard(folder: string): number {
  const bytes = folderBytes(folder);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

/** Removes the files of streams that are gone, those of an interrupted earlier call too. */
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

const ended = `
  SELECT l.stream, l.id, l.kind, l.ended_at AS endedAt, c.process
  FROM listing l LEFT JOIN claims c ON c.stream = l.stream
  WHERE l.ended_at IS NOT NULL`;

const statements = (db: Database) => ({
  ended: db.prepare(ended),
  stillEnded: db.prepare(`${ended} AND l.stream = ? AND l.id = ?`),
  eventBytes: db.prepare(
    'SELECT count(*) AS n, coalesce(sum(length(body)), 0) AS bytes FROM events WHERE key > ? AND key < ?',
  ),
  blobBytes: db.prepare(`
    SELECT count(*) AS n, coalesce(sum(length(b.text)), 0) AS bytes FROM blobs b
    WHERE b.hash IN (SELECT hash FROM blob_refs WHERE stream = ?1)
    AND NOT EXISTS (SELECT 1 FROM blob_refs o WHERE o.hash = b.hash AND o.stream <> ?1)`),
  // Positions go on after the greatest that there ever was, and so do the epochs of a stream that is begun anew.
  use: db.prepare(`
    UPDATE used SET pos = n.pos, epoch = max(used.epoch, s.epoch) FROM (${selectNewest}) n, streams s WHERE s.id = ?`),
  forgetChanges: db.prepare('DELETE FROM changes WHERE stream NOT IN (SELECT id FROM streams)'),
  removeEvents: db.prepare('DELETE FROM events WHERE key > ? AND key < ?'),
  remove: [
    db.prepare(`
      DELETE FROM blobs WHERE hash IN (SELECT hash FROM blob_refs WHERE stream = ?1)
      AND NOT EXISTS (SELECT 1 FROM blob_refs o WHERE o.hash = blobs.hash AND o.stream <> ?1)`),
    db.prepare('DELETE FROM blob_refs WHERE stream = ?'),
    db.prepare('DELETE FROM claims WHERE stream = ?'),
    db.prepare('DELETE FROM folder_claims WHERE stream = ?'),
    db.prepare('DELETE FROM appends WHERE stream = ?'),
    db.prepare('DELETE FROM listing WHERE stream = ?'),
    db.prepare('DELETE FROM texts WHERE rowid = ?'),
    db.prepare('DELETE FROM snapshots WHERE stream = ?'),
    db.prepare('DELETE FROM model_trials WHERE stream = ?'),
    db.prepare('DELETE FROM streams WHERE id = ?'),
  ],
  throwAway: db.prepare('INSERT OR IGNORE INTO trash (path) VALUES (?)'),
});
