import type { StreamRow } from '../../../core/contract/index.ts';
import { isListedAlike, listed } from '../listing-rules.ts';
import type { Database } from './database.ts';

/** Keeps what listings filter and sort by, in the transaction that appends. The row itself is with the stream. */
export function createListed(db: Database) {
  const insert = db.prepare(`
    INSERT INTO listing (state, workspace, created_at, ended_at, due_at, awaits, stream, id, kind)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(`
    UPDATE listing SET state = ?, workspace = ?, created_at = ?, ended_at = ?, due_at = ?, awaits = ?
    WHERE stream = ?`);
  const ended = db.prepare('SELECT 1 FROM listing WHERE id = ? AND ended_at IS NOT NULL');
  const wake = db.prepare(`
    UPDATE listing SET due_at = min(coalesce(due_at, ?1), ?1) WHERE awaits = ?2 AND ended_at IS NULL
    RETURNING stream`);
  const hasEnded = (stream: string): boolean => ended.get(stream) !== undefined;

  return {
    save(id: number, stream: string, before: StreamRow | null, row: StreamRow): void {
      if (before !== null && isListedAlike(before, row)) return;
      const { state, workspace, createdAt, endedAt, dueAt, awaits } = listed(row, hasEnded);
      const values = [state, workspace, createdAt, endedAt, dueAt, awaits, id];
      if (before === null) insert.run(...values, stream, row.kind);
      else update.run(...values);
    },
    /** Makes due whoever waits for this stream, and says who that is. */
    wake: (stream: string, at: number): number[] =>
      wake.all(at, stream).map((woken) => Number(woken['stream'])),
  };
}

/** The row of a stream, as a statement found it. */
export const parseRow = <R>(found: Record<string, unknown>): R => JSON.parse(String(found['row']));
