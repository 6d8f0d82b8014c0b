import type { Pass, Passes } from '../../../core/stream/index.ts';
import type { PostgresDatabase } from './connection.ts';

const columns = 'hash, kind, person, scope, made_at AS "madeAt", until';
const holds = '(until IS NULL OR until > now_ms())';

/** A secret is kept once: asked again after a lost answer, what is there already is the same. */
export const createPasses = (db: PostgresDatabase): Passes => ({
  async keep({ hash, kind, person, scope }, forMs) {
    await db.query('DELETE FROM passes WHERE until <= now_ms()');
    await db.query(
      `INSERT INTO passes (hash, kind, person, scope, made_at, until)
       VALUES ($1, $2, $3, $4, now_ms(), now_ms() + $5::float8) ON CONFLICT DO NOTHING`,
      [hash, kind, person, scope, forMs],
    );
    const [kept] = await db.query('SELECT 1 FROM passes WHERE hash = $1', [hash]);
    return kept !== undefined;
  },
  async find(hash) {
    const [pass] = await db.query<Pass>(`SELECT ${columns} FROM passes WHERE hash = $1 AND ${holds}`, [hash]);
    return pass ?? null;
  },
  // An answer that was lost is lost: taken anew, it might be another's.
  take: (hash) =>
    db.transact(async (tx) => {
      const [pass] = await tx.query<Pass>(
        `DELETE FROM passes WHERE hash = $1 AND kind = 'code' AND ${holds} RETURNING ${columns}`,
        [hash],
      );
      return pass ?? null;
    }),
  list: () =>
    db.query<Pass>(
      `SELECT ${columns} FROM passes WHERE kind <> 'code' AND ${holds} ORDER BY person, made_at, hash`,
    ),
  revoke: (which) =>
    db.transact(async (tx) => {
      const [column, value] = 'hash' in which ? ['hash', which.hash] : ['person', which.person];
      return (await tx.query(`DELETE FROM passes WHERE ${column} = $1 RETURNING 1`, [value])).length;
    }),
});
