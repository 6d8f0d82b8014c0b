import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepIgnoreOracle } from './ignored.ts';
import { ensureRepository } from './repository.ts';

async function place() {
  const folder = mkdtempSync(join(tmpdir(), 'pw-ignored-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const top = join(folder, 'top');
  mkdirSync(top);
  writeFileSync(join(top, '.gitignore'), 'secret\n');
  return { top, gitDir: await ensureRepository(join(folder, 'data')), exclude: null };
}

test('a git that was let go for being idle is asked nothing, even where it has not ended yet', async () => {
  const where = await place();
  const oracles = keepIgnoreOracle();
  onTestFinished(() => oracles.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = async () => [...(await (await oracles.at(where, true)).ignored(['secret', 'other']))];
  expect(await asked()).toEqual(['secret']);
  vi.advanceTimersByTime(60_000);
  expect(await asked()).toEqual(['secret']);
});

test('an answer that is broken off is a failure, and not that nothing is ignored', async () => {
  const where = await place();
  const oracles = keepIgnoreOracle();
  onTestFinished(() => oracles.close().catch(() => {}));
  const abort = new AbortController();
  const oracle = await oracles.at({ ...where, signal: abort.signal }, true);
  const answer = oracle.ignored(Array.from({ length: 20_000 }, (_, n) => `secret/${n}`));
  abort.abort();
  await expect(answer).rejects.toMatchObject({ code: 'git-failed' });
  expect([...(await (await oracles.at(where, true)).ignored(['secret']))]).toEqual(['secret']);
});
