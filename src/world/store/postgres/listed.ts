import { dueAt, type StreamRow } from '../../../core/contract/index.ts';
import { isListedAlike } from '../listing-rules.ts';
import type { Queries } from './connection.ts';

/** Keeps what listings filter and sort by, in the transaction that appends. The row itself is with the stream. */
export async function keepListed(
  tx: Queries,
  id: number,
  stream: string,
  before: StreamRow | null,
  row: StreamRow,
): Promise<void> {
  if (before !== null && isListedAlike(before, row)) return;
  const { state, workspace, createdAt, endedAt, awaits, kind } = row;
  const values = [state, workspace, createdAt, endedAt, dueAt(row), awaits, id];
  if (before === null) {
    await tx.query(
      `INSERT INTO listing (state, workspace, created_at, ended_at, due_at, awaits, stream, id, kind)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [...values, stream, kind],
    );
  } else {
    await tx.query(
      `UPDATE listing SET state = $1, workspace = $2, created_at = $3, ended_at = $4, due_at = $5, awaits = $6
       WHERE stream = $7`,
      values,
    );
  }
}

/** Who waits for this stream. */
export async function waitingFor(tx: Queries, stream: string): Promise<string[]> {
  const found = await tx.query<{ id: string }>(
    'SELECT id FROM listing WHERE awaits = $1 AND ended_at IS NULL ORDER BY id',
    [stream],
  );
  return found.map(({ id }) => id);
}

export const parseRow = <R>({ row }: { row: string }): R => JSON.parse(row);

/** Question marks, as the conditions that all stores share have them, as PostgreSQL numbers its values. */
export function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => `$${++n}`);
}
