import type { Clock, Pass, Passes } from '../../../core/stream/index.ts';
import type { Database } from './database.ts';

const columns = 'hash, kind, person, scope, made_at AS madeAt, until';

export function createPasses(db: Database, clock: Clock): Passes {
  const insert = db.prepare(
    `INSERT INTO passes (hash, kind, person, scope, made_at, until) SELECT :hash, :kind, :person, :scope, :now, :until
     WHERE :kind <> 'token' OR NOT EXISTS (SELECT 1 FROM passes WHERE kind = 'token' AND person = :person)`,
  );
  const forget = db.prepare('DELETE FROM passes WHERE until <= ?');
  const find = db.prepare(
    `SELECT ${columns} FROM passes WHERE hash = :hash AND (until IS NULL OR until > :now)`,
  );
  const remove = db.prepare('DELETE FROM passes WHERE hash = ?');
  const removeOf = db.prepare('DELETE FROM passes WHERE person = ?');
  const list = db.prepare(
    `SELECT ${columns} FROM passes WHERE kind <> 'code' AND (until IS NULL OR until > ?)
     ORDER BY person, made_at, hash`,
  );
  const found = (hash: string): Pass | null => plain(find.get({ hash, now: clock.now() }));
  return {
    keep: ({ hash, kind, person, scope }, forMs) =>
      db.write(() => {
        const now = clock.now();
        forget.run(now);
        const until = forMs === null ? null : now + forMs;
        return Number(insert.run({ hash, kind, person, scope, now, until }).changes) === 1;
      }),
    find: (hash) => db.read(() => found(hash)),
    take: (hash) =>
      db.write(() => {
        const pass = found(hash);
        if (pass?.kind !== 'code') return null;
        remove.run(hash);
        return pass;
      }),
    list: () => db.read(() => list.all(clock.now()).map((row) => plain(row)!)),
    revoke: (which) =>
      db.write(() => Number(('hash' in which ? remove.run(which.hash) : removeOf.run(which.person)).changes)),
  };
}

/** Rows of SQLite have no prototype. */
const plain = (row: Record<string, unknown> | undefined): Pass | null =>
  row === undefined ? null : ({ ...row } as unknown as Pass);
