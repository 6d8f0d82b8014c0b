import type { Clock } from '../../core/stream/index.ts';
import type { Database } from './database.ts';

/** A fix that led to success, and how it has fared since. */
export interface FixRow {
  /** The same wherever it is kept. */
  id: string;
  /** `user`, or the real path of a workspace. */
  scope: string;
  /** The failures that it is for. */
  key: string;
  /** The fix as its owner understands it: JSON. */
  general: string;
  successes: number;
  /** Since the last success. */
  failures: number;
  /** When it last helped or did not. */
  at: number;
}

/** What has mended failures before. */
export interface Fixes {
  /** Those for this key, the one that helped most often first. */
  fixes(query: { scope?: string; key?: string }): Promise<FixRow[]>;
  /** Keeps a fix that led to success. The same one again counts as one more success. */
  keepFix(fix: Pick<FixRow, 'id' | 'scope' | 'key' | 'general'>): Promise<FixRow>;
  fixHelped(scope: string, id: string): Promise<void>;
  /** It did not help. At the `forgetAfter`th time in a row it is forgotten. */
  fixFailed(scope: string, id: string, forgetAfter: number): Promise<void>;
  /** How many were forgotten. */
  forgetFixes(query: { scope?: string; id?: string }): Promise<number>;
}

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
