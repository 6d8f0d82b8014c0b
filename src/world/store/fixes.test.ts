import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from './store.ts';
import { driver, fakeClock } from './test-support.ts';

async function open(dir = mkdtempSync(join(tmpdir(), 'planwright-fixes-'))): Promise<Store> {
  const store = await openStore({ dir, driver: driver(1), clock: fakeClock() });
  onTestFinished(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return store;
}

const fix = (id: string, scope = 'user', key = 'cp <1>\n1\nno folder') => ({ id, scope, key, general: '{}' });

test('the same fix again is one more success, and takes its failures away', async () => {
  const store = await open();
  await store.keepFix(fix('a'));
  await store.fixFailed('user', 'a', 2);
  expect(await store.keepFix(fix('a'))).toMatchObject({ successes: 2, failures: 0 });
  expect(await store.fixes({})).toHaveLength(1);
});

test('two failures in a row forget it, two with a success between them do not', async () => {
  const store = await open();
  await store.keepFix(fix('a'));
  await store.fixFailed('user', 'a', 2);
  await store.fixHelped('user', 'a');
  await store.fixFailed('user', 'a', 2);
  expect(await store.fixes({ scope: 'user' })).toMatchObject([{ successes: 2, failures: 1 }]);
  await store.fixFailed('user', 'a', 2);
  expect(await store.fixes({ scope: 'user' })).toEqual([]);
});

test('scopes and keys are kept apart, and the one that helped most comes first', async () => {
  const store = await open();
  for (const one of [fix('a'), fix('b'), fix('b'), fix('a', '/work'), fix('c', 'user', 'other')])
    await store.keepFix(one);
  const { key } = fix('a');
  expect((await store.fixes({ scope: 'user', key })).map(({ id }) => id)).toEqual(['b', 'a']);
  expect((await store.fixes({ scope: '/work' })).map(({ id }) => id)).toEqual(['a']);
  expect(await store.fixes({})).toHaveLength(4);
});

test('forgetting says how many there were, and leaves the others', async () => {
  const store = await open();
  for (const one of [fix('a'), fix('a', '/work'), fix('b')]) await store.keepFix(one);
  expect(await store.forgetFixes({ id: 'a' })).toBe(2);
  expect(await store.forgetFixes({ id: 'a' })).toBe(0);
  expect((await store.fixes({})).map(({ id }) => id)).toEqual(['b']);
  expect(await store.forgetFixes({})).toBe(1);
});

test('they are there for the next process', async () => {
  const first = await open();
  await first.keepFix(fix('a'));
  const second = await open(first.dir);
  expect(await second.fixes({})).toEqual(await first.fixes({}));
});
