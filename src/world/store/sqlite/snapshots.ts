import type { Snapshot, Snapshots } from '../../../core/stream/index.ts';
import type { Database } from './database.ts';

/** One for each stream, the newest that was saved. */
export function createSnapshots(db: Database): Snapshots {
  const select = db.prepare(`
    SELECT p.stream AS incarnation, p.seq, p.state FROM snapshots p JOIN streams s ON s.id = p.stream
    WHERE s.name = ? AND p.version = ? AND p.seq <= s.last_seq`);
  const keep = db.prepare(`
    INSERT INTO snapshots (stream, version, seq, state) SELECT id, ?2, ?3, ?4 FROM streams
    WHERE name = ?1 AND id = ?5
    ON CONFLICT (stream) DO UPDATE SET version = ?2, seq = ?3, state = ?4 WHERE version <> ?2 OR seq < ?3`);
  return {
    load: (stream, version) =>
      db.read(() => {
        const found = select.get(stream, version) as
          | (Omit<Snapshot, 'state'> & { state: string })
          | undefined;
        return found ? { ...found, state: JSON.parse(found.state) } : null;
      }),
    save: (stream, version, { incarnation, seq, state }) => {
      const text = JSON.stringify(state);
      return db.write(() => void keep.run(stream, version, seq, text, incarnation));
    },
  };
}
