import type { Snapshot, Snapshots } from '../../../core/stream/index.ts';
import type { PostgresDatabase } from './connection.ts';

/** One for each stream, the newest that was saved. Others go on from it: a role that may not decide may not save any. */
export function createSnapshots(db: PostgresDatabase): Snapshots {
  let may: Promise<boolean> | null = null;
  const maySave = () =>
    (may ??= db
      .query<{ may: boolean }>("SELECT has_table_privilege('snapshots', 'INSERT') AS may")
      .then(([found]) => found!.may));
  return {
    async load(stream, version) {
      const [found] = await db.query<Omit<Snapshot, 'state'> & { state: string }>(
        `SELECT p.stream AS incarnation, p.seq, p.state FROM snapshots p JOIN streams s ON s.id = p.stream
       WHERE s.name = $1 AND p.version = $2 AND p.seq <= s.last_seq`,
        [stream, version],
      );
      return found ? { ...found, state: JSON.parse(found.state) } : null;
    },
    async save(stream, version, { incarnation, seq, state }) {
      if (!(await maySave())) return;
      await db.query(
        `INSERT INTO snapshots AS p (stream, version, seq, state)
       SELECT id, $2, $3, $4 FROM streams WHERE name = $1 AND id = $5 FOR KEY SHARE
       ON CONFLICT (stream) DO UPDATE SET version = excluded.version, seq = excluded.seq, state = excluded.state
       WHERE p.version <> excluded.version OR p.seq < excluded.seq`,
        [stream, version, seq, JSON.stringify(state), incarnation],
      );
    },
  };
}
