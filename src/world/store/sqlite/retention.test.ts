import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { asked, begin, begun, ended, note, openTestStore } from '../test-support.ts';

const all = { keepDays: 0, keepLast: 0 };

it('leaves nothing of a removed stream in any table, nor on the disk', async () => {
  const store = await openTestStore();
  const name = 'x'.repeat(70_000);
  await begin(store, 'old', begun({ name }), asked(2), ended(3));
  const incarnation = await store.incarnation('old');
  await store.snapshots.save('old', 'v', { incarnation, seq: 1, state: {} });
  const { claim } = (await store.claim('old')) as Extract<
    Awaited<ReturnType<typeof store.claim>>,
    { ok: true }
  >;
  await claim.hold({ host: 'here', path: '/work' });
  await claim.release();
  const writer = await store.output.writer('old', 'step', 0);
  await writer.end();
  expect(existsSync(join(store.where, 'output', 'old'))).toBe(true);
  await store.gc(all);
  expect(existsSync(join(store.where, 'output', 'old'))).toBe(false);
  const raw = new DatabaseSync(`${store.where}/planwright.db`, { readOnly: true });
  const tables =
    'streams events appends changes listing texts snapshots blobs blob_refs claims folder_claims model_trials trash';
  for (const table of tables.split(' ')) {
    expect({ table, ...raw.prepare(`SELECT count(*) AS n FROM ${table}`).get() }).toEqual({ table, n: 0 });
  }
  raw.close();
});

it('gives the space back to the disk', async () => {
  const store = await openTestStore();
  await begin(store, 'young');
  await begin(store, 'old');
  const many = Array.from({ length: 20_000 }, (_, n) => note(n));
  await store.append('old', { id: 'many', events: [...many, ended(1)] });
  const size = () => statSync(join(store.where, 'planwright.db')).size;
  const { freedBytes } = await store.gc(all);
  expect(freedBytes).toBeGreaterThan(800_000);
  expect(size()).toBeLessThan(200_000);
  expect(await store.check()).toEqual([]);
});
