import { DatabaseSync } from 'node:sqlite';

/** Single-row transactions on a bare database, each synced: what this disk can do at most. */
export function openRawInserts(path: string, body: string): { insert(count: number): void; close(): void } {
  const raw = new DatabaseSync(path);
  raw.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)',
  );
  const insert = raw.prepare('INSERT INTO t (body) VALUES (?)');
  return {
    insert(count) {
      for (let n = 0; n < count; n += 1) insert.run(body);
    },
    close: () => raw.close(),
  };
}
