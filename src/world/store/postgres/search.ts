import type { Search } from '../../../core/stream/index.ts';
import type { Condition } from '../listing-rules.ts';
import { anywhere, isLongWord, lineWith, longestText, wordsOf } from '../search-rules.ts';
import type { PostgresDatabase, Queries } from './connection.ts';
import { numbered, parseRow } from './listed.ts';

/** Keeps the text that a stream is found by, in the transaction that appends. */
export async function keepText(tx: Queries, stream: number, isNew: boolean, added: string): Promise<void> {
  if (isNew) await tx.query('INSERT INTO texts (stream, text) VALUES ($1, $2)', [stream, added]);
  else if (added !== '') await tx.query(appendText, [stream, added]);
}

const appendText = `
  UPDATE texts SET text = left(text || chr(10) || $2, ${longestText})
  WHERE stream = $1 AND length(text) < ${longestText}`;

/** A condition on `l`, the listing: every word is somewhere in the text, or the id begins so. */
export function textCondition(query: string): Condition {
  const words = wordsOf(query).map(anywhere);
  const inText = words.map(() => 'text ILIKE ?').join(' AND ') || 'true';
  const id = query.trim().toLowerCase();
  return {
    sql: `(l.stream IN (SELECT stream FROM texts WHERE ${inText}) OR (l.id >= ? AND l.id < ?))`,
    values: [...words, id, `${id}\u{10ffff}`],
  };
}

export const createSearch = (db: PostgresDatabase): Search => ({
  async find(text, limit, kind) {
    if (text.trim() === '') return [];
    const { sql, values } = textCondition(text);
    const found = await db.query<{ row: string; text: string | null }>(
      numbered(`
        SELECT s."row", t.text FROM listing l JOIN streams s ON s.id = l.stream
        LEFT JOIN texts t ON t.stream = l.stream WHERE ${sql} ${kind === undefined ? '' : 'AND l.kind = ?'}
        ORDER BY l.created_at DESC, l.id DESC LIMIT ?`),
      [...values, ...(kind === undefined ? [] : [kind]), limit],
    );
    return found.map((one) => ({ row: parseRow(one), found: lineWith(one.text ?? '', text) }));
  },
  /** Of two in which as many of the words are, the shorter one is more alike. */
  async alike<R>(words: readonly string[], query: { kind: string; workspace: string; limit: number }) {
    const known = words.filter(isLongWord).map(anywhere);
    if (known.length === 0) return [];
    const found = await db.query<{ row: string }>(
      `SELECT s."row" FROM listing l JOIN streams s ON s.id = l.stream JOIN texts t ON t.stream = l.stream
       WHERE l.workspace = $2 AND l.kind = $3 AND t.text ILIKE ANY ($1::text[])
       ORDER BY (SELECT count(*) FROM unnest($1::text[]) AS w (word) WHERE t.text ILIKE w.word) DESC,
         length(t.text), l.created_at DESC, l.id DESC LIMIT $4`,
      [known, query.workspace, query.kind, query.limit],
    );
    return found.map(parseRow<R>);
  },
});
