import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLock } from './lock.ts';

test('a lock can be opened while somebody holds it, and is then waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pw-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => {
    const lock = openLock(folder, 'lock', 60_000);
    onTestFinished(() => lock.close());
    return lock;
  };
  const done: string[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = open().hold(async () => {
    begin();
    await over;
    done.push('first');
  });
  await begun;
  const second = open().hold(async () => void done.push('second'));
  // By then it has tried in vain.
  await new Promise(setImmediate);
  end();
  await Promise.all([first, second]);
  expect(done).toEqual(['first', 'second']);
});

test('a lock that is held makes no other file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pw-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock = openLock(folder, 'lock', 60_000);
  onTestFinished(() => lock.close());
  for (const _ of [1, 2]) expect(await lock.hold(async () => readdirSync(folder))).toEqual(['lock']);
});
