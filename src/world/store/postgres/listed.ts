import { dueAt, type StreamRow } from '../../../core/contract/index.ts';
import type { Queries } from './connection.ts';

export const listedColumns = ['state', 'workspace', 'created_at', 'ended_at', 'due_at', 'awaits'] as const;
export const listedTypes = ['text', 'text', 'float8', 'float8', 'float8', 'text'] as const;

/** What listings filter and sort by, column by column. The row itself is with the stream. */
export const listedAs = (row: StreamRow): unknown[] => {
  const { state, workspace, createdAt, endedAt, awaits } = row;
  return [state, workspace, createdAt, endedAt, dueAt(row), awaits];
};

/** Lists a stream that has no row yet, in the transaction that appends. */
export async function list(tx: Queries, id: number, stream: string, row: StreamRow): Promise<void> {
  await tx.query(
    `INSERT INTO listing (${listedColumns.join(', ')}, stream, id, kind) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...listedAs(row), id, stream, row.kind],
  );
}

/** Lists what `head` selects anew, by values from the one of this number on. */
export const relist = (head: string, from: number): string => `
  UPDATE listing l SET ${listedColumns.map((column, n) => `${column} = $${from + n}`).join(', ')}
  FROM ${head} WHERE l.stream = ${head}.id`;

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
