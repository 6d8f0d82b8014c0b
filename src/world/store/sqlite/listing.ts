import type { Due, Listing, ListingQuery } from '../../../core/stream/index.ts';
import { conditions, handful } from '../listing-rules.ts';
import type { Database } from './database.ts';
import { parseRow } from './listed.ts';
import type { Owners } from './owners.ts';
import { textCondition } from './search.ts';

const selectRow = 'SELECT s.row FROM listing l JOIN streams s ON s.id = l.stream';
const newestFirst = 'ORDER BY l.created_at DESC, l.id DESC LIMIT ?';

export function createListing(db: Database, owners: Owners): Listing {
  const one = db.prepare(`${selectRow} WHERE l.id = ?`);
  const find = db.prepare(
    `${selectRow} WHERE l.id >= ? AND l.id < ? AND (?3 IS NULL OR l.kind = ?3) ${newestFirst}`,
  );
  const due = db.prepare(`
    SELECT l.id, s.last_seq AS seq, c.process FROM listing l JOIN streams s ON s.id = l.stream
    LEFT JOIN claims c ON c.stream = l.stream WHERE l.due_at <= ? ORDER BY l.due_at, l.id`);

  return {
    list: <R>(query?: ListingQuery) =>
      db.read(() => {
        const { where, values } = conditions(query ?? {}, textCondition);
        return db
          .prepare(`${selectRow} ${where} ${newestFirst}`)
          .all(...values, query?.limit ?? -1)
          .map(parseRow<R>);
      }),
    countStates: (query) =>
      db.read(() => {
        const { where, values } = conditions(query ?? {}, textCondition);
        const counted = db
          .prepare(`SELECT l.state AS state, count(*) AS n FROM listing l ${where} GROUP BY l.state`)
          .all(...values);
        return Object.fromEntries(counted.map(({ state, n }) => [String(state), Number(n)]));
      }),
    row: <R>(stream: string) =>
      db.read(() => {
        const found = one.get(stream);
        return found ? parseRow<R>(found) : null;
      }),
    withPrefix: <R>(prefix: string, kind?: string) =>
      db.read(() => find.all(prefix, `${prefix}\u{10ffff}`, kind ?? null, handful).map(parseRow<R>)),
    due: (before, limit) =>
      db.read(() => {
        const rows: Due[] = [];
        for (const found of due.iterate(before)) {
          if (rows.length >= limit) break;
          const { id, seq, process } = found as unknown as Due & { process: string | null };
          if (owners.isFree(process)) rows.push({ id, seq });
        }
        return rows;
      }),
  };
}
