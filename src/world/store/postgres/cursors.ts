import type { Cursor, Streams } from '../../../core/stream/index.ts';
import type { PostgresDatabase } from './connection.ts';

/**
 * How far a reader of everything has come is the snapshot that it read by: which transactions it could see. What was written
 * by one that it could not see, and can now, is new, in whatever order they were begun and committed. A cursor is
 *
 *   STORE/FROM           all that FROM sees has been told
 *   STORE/FROM/TO/XID/ID and so has, of what TO sees besides, everything up to this place: a page in between
 */
interface Place {
  from: string;
  page: { to: string; xid: string; id: string } | null;
}

const snapshot = String.raw`\d{1,18}:\d{1,18}:[\d,]*`;
const form = new RegExp(`^([^/]+)/(${snapshot})(?:/(${snapshot})/(\\d{1,18})/(\\d{1,18}))?$`);

/** As PostgreSQL writes one, and takes none else: xmin ≤ each in order < xmax. Whoever brings a cursor may have made it up. */
function isSnapshot(text: string): boolean {
  const [xmin, xmax, between = ''] = text.split(':');
  const all = [BigInt(xmin!), ...between.split(',').filter(Boolean).map(BigInt), BigInt(xmax!)];
  const isInOrder = all.every((xid, at) => at === 0 || xid > all[at - 1]! || (at === 1 && xid === all[0]));
  return all[0]! > 0n && isInOrder && !/^,|,,|,$/.test(between);
}

export function createCursors(
  db: PostgresDatabase,
  store: string,
): Pick<Streams, 'cursor' | 'changedSince'> & { isPast(cursor: Cursor): Promise<boolean> } {
  const parse = (cursor: Cursor): Place | null => {
    const [, name, from, to, xid, id] = form.exec(cursor) ?? [];
    if (from === undefined || name !== store || ![from, to ?? from].every(isSnapshot)) return null;
    return { from, page: to === undefined ? null : { to, xid: xid!, id: id! } };
  };
  const at = (...parts: string[]): Cursor => [store, ...parts].join('/');

  return {
    async cursor(after) {
      const place = after === undefined ? null : parse(after);
      const [now] = await db.query<{ now: string; known: boolean | null }>(
        `SELECT pg_current_snapshot()::text AS now,
           pg_snapshot_xmax($1::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) AS known`,
        [place?.page?.to ?? place?.from ?? null],
      );
      return now!.known === true ? after! : at(now!.now);
    },
    async changedSince(cursor, limit) {
      const place = parse(cursor);
      if (place === null) return { cursor, streams: [] };
      const { from, page } = place;
      const found = await db.query<{ name: string; xid: string; id: number; now: string }>(
        page === null ? changed : changedInPage,
        page === null ? [from, limit + 1] : [from, limit + 1, page.to, page.xid, page.id],
      );
      const streams = found.slice(0, limit).map(({ name }) => name);
      const last = found[limit - 1];
      const to = page?.to ?? found[0]?.now;
      if (found.length > limit && last !== undefined)
        return { cursor: at(from, to!, last.xid, String(last.id)), streams };
      return { cursor: to === undefined ? cursor : at(to), streams };
    },
    async isPast(cursor) {
      const place = parse(cursor);
      if (place === null) return false;
      return place.page !== null || (await db.query(changed, [place.from, 1])).length > 0;
    },
  };
}

const unseen = `
  SELECT name, changed::text AS xid, id, pg_current_snapshot()::text AS now FROM streams
  WHERE changed >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(changed, $1::pg_snapshot)`;
const inOrder = 'ORDER BY changed, id LIMIT $2';

const changed = `${unseen} ${inOrder}`;
const changedInPage = `${unseen} AND pg_visible_in_snapshot(changed, $3::pg_snapshot)
  AND (changed, id) > ($4::xid8, $5::bigint) ${inOrder}`;
