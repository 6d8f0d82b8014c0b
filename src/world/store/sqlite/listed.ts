import { dueAt, type StreamRow } from '../../../core/contract/index.ts';
import { isListedAlike } from '../listing-rules.ts';
import type { Database } from './database.ts';

/** Keeps what listings filter and sort by, in the transaction that appends. The row itself is with the stream. */
export function createListed(db: Database) {
  const insert = db.prepare(`
    INSERT INTO listing (state, workspace, created_at, ended_at, due_at, awaits, stream, id, kind)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(`
    UPDATE listing SET state = ?, workspace = ?, created_at = ?, ended_at = ?, due_at = ?, awaits = ?
    WHERE stream = ?`);
  const waiting = db.prepare('SELECT id FROM listing WHERE awaits = ? AND ended_at IS NULL');

  return {
    save(id: number, stream: string, before: StreamRow | null, row: StreamRow): void {
      if (before !== null && isListedAlike(before, row)) return;
      const { state, workspace, createdAt, endedAt, awaits, kind } = row;
      const values = [state, workspace, createdAt, endedAt, dueAt(row), awaits, id];
      if (before === null) insert.run(...values, stream, kind);
      else update.run(...values);
    },
    /** Who waits for this stream. */
    waitingFor: (stream: string): string[] => waiting.all(stream).map(({ id }) => String(id)),
  };
}

/** The row of a stream, as a statement found it. */
export const parseRow = <R>(found: Record<string, unknown>): R => JSON.parse(String(found['row']));
