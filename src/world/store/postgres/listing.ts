import type { Due, Listing, ListingQuery } from '../../../core/stream/index.ts';
import { conditions, handful } from '../listing-rules.ts';
import { type PostgresDatabase, storable } from './connection.ts';
import { inOne } from './in-one.ts';
import { numbered, parseRow } from './listed.ts';
import { type OwnedRow, owner, type PostgresOwners } from './owners.ts';
import { textCondition } from './search.ts';

const selectRow = 'SELECT s."row" FROM listing l JOIN streams s ON s.id = l.stream';
const newestFirst = 'ORDER BY l.created_at DESC, l.id DESC';

type DueRow = OwnedRow & Due & { due: number };

export function createListing(db: PostgresDatabase, owners: PostgresOwners): Listing {
  const rowOf = inOne(async (names: readonly string[]) => {
    const found = await db.query<{ id: string; row: string }>(
      `SELECT l.id, s."row" FROM listing l JOIN streams s ON s.id = l.stream WHERE l.id = ANY ($1::text[])`,
      [names],
    );
    const byName = new Map(found.map((one) => [one.id, one]));
    return names.map((name) => byName.get(storable(name)));
  });
  return {
    async list<R>(query: ListingQuery = {}) {
      const { where, values } = conditions(query, textCondition);
      const found = await db.query<{ row: string }>(
        numbered(`${selectRow} ${where} ${newestFirst} LIMIT ?::bigint`),
        [...values, query.limit ?? null],
      );
      return found.map(parseRow<R>);
    },
    async countStates(query = {}) {
      const { where, values } = conditions(query, textCondition);
      const counted = await db.query<{ state: string; n: number }>(
        numbered(`SELECT l.state, count(*) AS n FROM listing l ${where} GROUP BY l.state`),
        values,
      );
      return Object.fromEntries(counted.map(({ state, n }) => [state, n]));
    },
    async row<R>(stream: string) {
      const found = await rowOf(stream);
      return found === undefined ? null : parseRow<R>(found);
    },
    async withPrefix<R>(prefix: string, kind?: string) {
      const found = await db.query<{ row: string }>(
        `${selectRow} WHERE l.id >= $1 AND l.id < $2 AND ($3::text IS NULL OR l.kind = $3) ${newestFirst} LIMIT $4`,
        [prefix, `${prefix}\u{10ffff}`, kind ?? null, handful],
      );
      return found.map(parseRow<R>);
    },
    async due(before, limit) {
      const rows: Due[] = [];
      // Who is alive is known here only: those that are held are passed over, and the next ones looked at.
      for (let after: [due: number, id: string] = [Number.NEGATIVE_INFINITY, '']; ; ) {
        const found = await db.query<DueRow>(
          `SELECT s.last_seq AS seq, l.due_at AS due, l.id, ${owner} FROM listing l JOIN streams s ON s.id = l.stream
         LEFT JOIN claims c ON c.stream = l.stream LEFT JOIN processes p ON p.id = c.process
         WHERE l.due_at <= $1 AND (l.due_at, l.id) > ($2, $3) ORDER BY l.due_at, l.id LIMIT $4`,
          [before, ...after, limit],
        );
        for (const one of found) if (owners.isFree(one)) rows.push({ id: one.id, seq: one.seq });
        const last = found.at(-1);
        if (rows.length >= limit || found.length < limit || last === undefined) return rows.slice(0, limit);
        after = [last.due, last.id];
      }
    },
  };
}
