import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { toyKind } from '../../../../test/support/toy-kind.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import { StoreError } from '../errors.ts';
import { begin, driver, note, openTestStore, type ToyStore, tempDir } from '../test-support.ts';
import { openDatabase } from './opening.ts';
import { openStore } from './store.ts';

const open = (dir: string, lockTimeoutMs = 30): Promise<ToyStore> =>
  openStore({ dir, driver: driver(1), kinds: kindsOf(toyKind), lockTimeoutMs });
async function refusal(promise: Promise<unknown>): Promise<StoreError> {
  const error = await promise.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof StoreError) return error;
  throw error;
}
/** A database as a program leaves it, changed by hand. */
async function changed(change: (raw: DatabaseSync) => void): Promise<{ dir: string; file: string }> {
  const dir = tempDir();
  await (await open(dir)).close();
  const file = join(dir, 'planwright.db');
  const raw = new DatabaseSync(file);
  change(raw);
  raw.close();
  return { dir, file };
}

describe('a store that cannot be used is refused and left as it is', () => {
  it('when a newer version has written it', async () => {
    const { dir, file } = await changed((raw) => raw.exec('PRAGMA user_version = 999'));
    const before = readFileSync(file);
    const error = await refusal(open(dir));
    expect(error).toMatchObject({ code: 'store-newer', exitCode: 1 });
    expect(error.message).toContain('Upgrade planwright');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ['a column is missing', 'ALTER TABLE streams DROP COLUMN ids'],
    ['a column is of another kind', 'DROP TABLE trash; CREATE TABLE trash (path BLOB PRIMARY KEY) STRICT'],
    ['a table is missing', 'DROP TABLE snapshots'],
    ['an index is missing', 'DROP INDEX listing_due'],
  ])('when a version that was never released has written it, and %s', async (_, change) => {
    const { dir, file } = await changed((raw) => raw.exec(change));
    const before = readFileSync(file);
    const error = await refusal(open(dir));
    expect(error).toMatchObject({ code: 'store-other', exitCode: 1 });
    expect(error.message).toMatch(/planwright\.db was written by .* move it away .* PLANWRIGHT_HOME\.$/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('when it belongs to another program', async () => {
    const dir = tempDir();
    const raw = new DatabaseSync(join(dir, 'planwright.db'));
    raw.exec('CREATE TABLE theirs (x)');
    raw.close();
    expect(await refusal(open(dir))).toMatchObject({ code: 'store-foreign' });
  });

  it.each([
    ['a short text', 'hello'],
    ['a long text', 'no database at all\n'.repeat(1000)],
  ])('when it is %s', async (_, content) => {
    const dir = tempDir();
    const file = join(dir, 'planwright.db');
    writeFileSync(file, content);
    const error = await refusal(open(dir));
    expect(error).toMatchObject({ code: 'store-corrupt' });
    expect(error.cause).toBeDefined();
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('when pages are damaged: at the first use that meets them', async () => {
    const dir = tempDir();
    const store = await open(dir);
    await begin(store);
    await store.append('run', { id: 'b', events: Array.from({ length: 500 }, (_, i) => note(i)) });
    await store.close();
    const file = join(dir, 'planwright.db');
    const fd = openSync(file, 'r+');
    for (let page = 2; page * 4096 < statSync(file).size; page++)
      writeSync(fd, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
    closeSync(fd);
    const use = async () => {
      const damaged = await open(dir);
      try {
        await damaged.read('run', 0);
      } finally {
        await damaged.close();
      }
    };
    expect(await refusal(use())).toMatchObject({ code: 'store-corrupt' });
  });

  it('when another process keeps it locked', async () => {
    const dir = tempDir();
    const store = await openTestStore({ dir, lockTimeoutMs: 30 });
    const raw = new DatabaseSync(join(dir, 'planwright.db'));
    raw.exec('BEGIN IMMEDIATE');
    const append = () => begin(store);
    expect(await refusal(append())).toMatchObject({ code: 'store-locked' });
    expect(await store.read('run', 0)).toEqual([]);
    raw.exec('ROLLBACK');
    raw.close();
    expect(await append()).toMatchObject({ ok: true });
  });

  it('when it is locked already at opening', async () => {
    const { dir, file } = await changed(() => {});
    const raw = new DatabaseSync(file);
    raw.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE streams SET epoch = 0;');
    expect(await refusal(open(dir))).toMatchObject({ code: 'store-locked' });
    raw.close();
    await (await open(dir)).close();
  });

  it('when a file is where its folder should be', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const error = await refusal(open(file));
    expect(error).toMatchObject({ code: 'store-io' });
    expect(error.message).toContain('PLANWRIGHT_HOME');
  });

  it('when it was closed', async () => {
    const store = await open(tempDir());
    await store.close();
    expect(await refusal(store.read('run', 0))).toMatchObject({ code: 'store-closed' });
    expect(await refusal(begin(store))).toMatchObject({
      code: 'store-closed',
    });
  });

  it.each(['folder', 'file'])('when the %s is read-only and it is written; it can be read', async (what) => {
    const dir = join(tempDir(), 'data');
    mkdirSync(dir);
    const kept = await open(dir);
    await begin(kept);
    await kept.close();
    const file = join(dir, 'planwright.db');
    const before = readFileSync(file);
    // Root ignores permission bits, so the process becomes another user once its modules are loaded.
    const isRoot = process.getuid?.() === 0;
    const attempt = `
      import { openStore } from ${JSON.stringify(new URL('./store.ts', import.meta.url).href)};
      if (${isRoot}) process.setgid(65534), process.setuid(65534);
      const store = await openStore({ dir: process.argv[1], driver: { pid: 1, host: 'h', boot: 'b' }, kinds: new Map() });
      console.log((await store.read('run', 0)).length);
      await store.gc({ keepDays: 0, keepLast: 0 }).catch((e) => console.log(e.code));
      await store.snapshots.save('run', 'v', { incarnation: 1, seq: 1, state: {} }).catch((e) => console.log(e.code));`;
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', join(dir, '..')]);
    chmodSync(what === 'folder' ? dir : file, what === 'folder' ? 0o500 : 0o400);
    const tried = spawnSync(process.execPath, ['--input-type=module', '-e', attempt, dir], {
      encoding: 'utf8',
    });
    expect(tried.stdout.trim() || tried.stderr).toBe('1\nstore-readonly');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a store', () => {
  it('syncs every commit to the disk before it is acknowledged, and says so', async () => {
    const db = await openDatabase({ dir: tempDir(), lockTimeoutMs: 30 });
    // 2 is FULL; weaker, an acknowledged append could be lost in a power cut.
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    const weaker = await db.write(() => db.prepare('PRAGMA synchronous').get(), { ofThisBoot: true });
    expect(weaker).toEqual({ synchronous: 1 });
    await expect(
      db.write(
        () => {
          throw new Error('undone');
        },
        { ofThisBoot: true },
      ),
    ).rejects.toThrow('undone');
    expect(await db.write(() => db.prepare('PRAGMA synchronous').get())).toEqual({ synchronous: 2 });
    db.close();
  });

  it('is for its owner only', async () => {
    const dir = join(tempDir(), 'deep', 'data');
    const store = await openTestStore({ dir });
    await begin(store);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(join(dir, `planwright.db${suffix}`)).mode & 0o777).toBe(0o600);
    }
  });

  it('tightens a folder and a file that others could read', async () => {
    const { dir, file } = await changed(() => {});
    chmodSync(dir, 0o755);
    chmodSync(file, 0o644);
    await openTestStore({ dir });
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is opened by several at once, though it has to be made first', async () => {
    const dir = tempDir();
    const stores = await Promise.all(
      Array.from({ length: 8 }, () => openTestStore({ dir, lockTimeoutMs: 5000 })),
    );
    await begin(stores[0]!);
    for (const store of stores) expect(await store.read('run', 0)).toHaveLength(1);
    expect(await stores[1]!.check()).toEqual([]);
  });
});
