import type { Clock, Fixes, FixRow } from '../../../core/stream/index.ts';
import type { Database } from './database.ts';

const columns = 'id, scope, key, general, successes, failures, at';

export function createFixes(db: Database, clock: Clock): Fixes {
  const find = db.prepare(
    `SELECT ${columns} FROM fixes WHERE (:scope IS NULL OR scope = :scope) AND (:key IS NULL OR key = :key)
     ORDER BY successes - failures DESC, at DESC, id`,
  );
  const keep = db.prepare(
    `INSERT INTO fixes (${columns}) VALUES (:id, :scope, :key, :general, 1, 0, :at)
     ON CONFLICT (scope, id) DO UPDATE SET successes = successes + 1, failures = 0, at = :at
     RETURNING ${columns}`,
  );
  const helped = db.prepare(
    'UPDATE fixes SET successes = successes + 1, failures = 0, at = ? WHERE scope = ? AND id = ?',
  );
  const failed = db.prepare('UPDATE fixes SET failures = failures + 1, at = ? WHERE scope = ? AND id = ?');
  const giveUp = db.prepare('DELETE FROM fixes WHERE scope = ? AND id = ? AND failures >= ?');
  const forget = db.prepare(
    'DELETE FROM fixes WHERE (:scope IS NULL OR scope = :scope) AND (:id IS NULL OR id = :id)',
  );
  return {
    fixes: ({ scope = null, key = null }) =>
      db.read(() => find.all({ scope, key }) as unknown as FixRow[]).then((rows) => rows.map(plain)),
    keepFix: (fix) => db.write(() => plain(keep.get({ ...pick(fix), at: clock.now() }) as unknown as FixRow)),
    fixHelped: (scope, id) => db.write(() => void helped.run(clock.now(), scope, id)),
    fixFailed: (scope, id, forgetAfter) =>
      db.write(() => {
        failed.run(clock.now(), scope, id);
        giveUp.run(scope, id, forgetAfter);
      }),
    forgetFixes: ({ scope = null, id = null }) => db.write(() => Number(forget.run({ scope, id }).changes)),
  };
}

const pick = ({ id, scope, key, general }: Pick<FixRow, 'id' | 'scope' | 'key' | 'general'>) => ({
  id,
  scope,
  key,
  general,
});

/** Rows of SQLite have no prototype. */
const plain = (row: FixRow): FixRow => ({ ...row });
