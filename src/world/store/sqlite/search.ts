import type { AnyEvent, AnyKind, Search } from '../../../core/stream/index.ts';
import { anywhere, isLongWord, lineWith, longestText, textAdded, wordsOf } from '../search-rules.ts';
import type { Database } from './database.ts';
import { parseRow } from './listed.ts';

/** Keeps the text that a stream is found by, in the transaction that appends. */
export function createTextKeeper(db: Database) {
  const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const append = db.prepare(
    // What is full is not indexed anew for what it would not hold.
    `UPDATE texts SET text = substr(text || char(10) || ?, 1, ${longestText})
      WHERE rowid = ? AND length(text) < ${longestText}`,
  );
  return (stream: number, kind: AnyKind, isNew: boolean, events: readonly AnyEvent[]): void => {
    const text = textAdded(kind, events);
    if (!isNew && text === '') return;
    if (isNew) insert.run(stream, text);
    else append.run(text, stream);
  };
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

/** What the index is asked for where one of the words is enough; null where it knows none of them. */
function anyOf(words: readonly string[]): string | null {
  const known = words.filter(isLongWord);
  return known.length === 0 ? null : known.map(quoted).join(' OR ');
}

/** A condition on `l`, the listing: every word is somewhere in the text, or the id begins so. */
export function textCondition(query: string): { sql: string; values: string[] } {
  const words = wordsOf(query);
  // The index knows three letters and more; what is shorter is looked for letter by letter.
  const long = words.filter(isLongWord);
  const short = words.filter((word) => !isLongWord(word));
  const parts = [
    ...(long.length > 0 ? ['texts MATCH ?'] : []),
    ...short.map(() => "text LIKE ? ESCAPE '\\'"),
  ];
  const match = long.map(quoted).join(' AND ');
  const values = [...(long.length > 0 ? [match] : []), ...short.map(anywhere)];
  const inText = `l.stream IN (SELECT rowid FROM texts WHERE ${parts.join(' AND ') || '1'})`;
  const id = query.trim().toLowerCase();
  return { sql: `(${inText} OR (l.id >= ? AND l.id < ?))`, values: [...values, id, `${id}\u{10ffff}`] };
}

export const createSearch = (db: Database): Search => ({
  find: (text, limit, kind) =>
    db.read(() => {
      if (text.trim() === '') return [];
      const { sql, values } = textCondition(text);
      const found = db
        .prepare(
          `SELECT s.row, t.text FROM listing l JOIN streams s ON s.id = l.stream
           LEFT JOIN texts t ON t.rowid = l.stream WHERE ${sql} ${kind === undefined ? '' : 'AND l.kind = ?'}
           ORDER BY l.created_at DESC, l.id DESC LIMIT ?`,
        )
        .all(...values, ...(kind === undefined ? [] : [kind]), limit);
      return found.map((one) => ({ row: parseRow(one), found: lineWith(String(one['text'] ?? ''), text) }));
    }),
  alike: (words, { kind, workspace, limit }) =>
    db.read(() => {
      const match = anyOf(words);
      if (match === null) return [];
      return db
        .prepare(
          `SELECT s.row FROM texts JOIN listing l ON l.stream = texts.rowid JOIN streams s ON s.id = l.stream
           WHERE texts MATCH ? AND l.workspace = ? AND l.kind = ?
           ORDER BY bm25(texts), l.created_at DESC, l.id DESC LIMIT ?`,
        )
        .all(match, workspace, kind, limit)
        .map(parseRow<never>);
    }),
});
