import { expect, test } from 'vitest';
import { tempDir } from '../test-support.ts';
import { openDatabase } from './opening.ts';

test('a commit is on the disk when it is answered: nothing weaker than FULL, whoever opens the file', async () => {
  const dir = tempDir();
  for (const _opened of ['first', 'again']) {
    const db = await openDatabase({ dir, lockTimeoutMs: 1000 });
    const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    // 2 is FULL: with NORMAL a power failure takes commits back that were answered.
    expect([pragma('journal_mode'), pragma('synchronous')]).toEqual(['wal', 2]);
    db.close();
  }
});
