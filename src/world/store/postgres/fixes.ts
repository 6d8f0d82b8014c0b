import type { Fixes, FixRow } from '../../../core/stream/index.ts';
import type { PostgresDatabase } from './connection.ts';

const columns = 'id, scope, key, general, successes, failures, at';

export const createFixes = (db: PostgresDatabase): Fixes => ({
  fixes: ({ scope = null, key = null }) =>
    db.query<FixRow>(
      `SELECT ${columns} FROM fixes WHERE ($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR key = $2)
       ORDER BY successes - failures DESC, at DESC, id`,
      [scope, key],
    ),
  keepFix: ({ id, scope, key, general }) =>
    db.transact(async (tx) => {
      const [kept] = await tx.query<FixRow>(
        `INSERT INTO fixes AS f (${columns}) VALUES ($1, $2, $3, $4, 1, 0, now_ms())
         ON CONFLICT (scope, id) DO UPDATE SET successes = f.successes + 1, failures = 0, at = excluded.at
         RETURNING ${columns}`,
        [id, scope, key, general],
      );
      return kept!;
    }),
  fixHelped: (scope, id) =>
    db.transact(async (tx) => {
      await tx.query(
        'UPDATE fixes SET successes = successes + 1, failures = 0, at = now_ms() WHERE scope = $1 AND id = $2',
        [scope, id],
      );
    }),
  fixFailed: (scope, id, forgetAfter) =>
    db.transact(async (tx) => {
      await tx.query('UPDATE fixes SET failures = failures + 1, at = now_ms() WHERE scope = $1 AND id = $2', [
        scope,
        id,
      ]);
      await tx.query('DELETE FROM fixes WHERE scope = $1 AND id = $2 AND failures >= $3', [
        ...[scope, id, forgetAfter],
      ]);
    }),
  forgetFixes: ({ scope = null, id = null }) =>
    db.transact(async (tx) => {
      const forgotten = await tx.query(
        'DELETE FROM fixes WHERE ($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR id = $2) RETURNING 1',
        [scope, id],
      );
      return forgotten.length;
    }),
});
