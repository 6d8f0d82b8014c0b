import { expect, test } from 'vitest';
import type { Plan } from '../../contract/index.ts';
import { withSaid } from './said.ts';

const planWith = (...names: string[]) =>
  ({ goal: 'g', steps: [], inputs: names.map((name) => ({ name })) }) as unknown as Plan;

test.each([
  ['back up this folder', 'folder', '.'],
  ['back up the files here', 'folder', '.'],
  ['back up ./docs into backups', 'folder', './docs'],
  ['back up src/app/, please', 'folder', 'src/app/'],
  ['back up ~/notes', 'folder', '~/notes'],
  ['dump the sqlite database app.db', 'database', 'app.db'],
  ['dump "data/shop.sqlite3"', 'database', 'data/shop.sqlite3'],
  ['tag release v1.2.0', 'tag', 'v1.2.0'],
  ['tag 2.0.0-rc.1.', 'tag', '2.0.0-rc.1'],
  ['check that https://example.org/x answers', 'url', 'https://example.org/x'],
  ['is the certificate of example.org still good?', 'host', 'example.org'],
  ['find files above 50M', 'size', '50M'],
  ['serve this folder on port 8123', 'port', '8123'],
  ['make a node project called shop-api', 'name', 'shop-api'],
  ['restore old.tar.gz into restored', 'into', 'restored'],
  ['restore old.tar.gz into restored', 'archive', 'old.tar.gz'],
])('%s: %s is %s', (goal, name, value) => {
  const { plan, said } = withSaid(planWith(name), goal);
  expect(said).toEqual({ [name]: value });
  expect(plan.inputs).toEqual([{ name, default: value }]);
});

test.each([
  ['back up a folder', 'folder'],
  ['back up and/or restore', 'tag'],
  ['compare a.db and b.db', 'database'],
  ['put it into a zip', 'into'],
  ['tag a release', 'tag'],
  ['use the token abc', 'registry_token'],
])('%s says nothing of %s', (goal, name) => {
  const before = planWith(name);
  expect(withSaid(before, goal)).toEqual({ plan: before, said: {} });
});

test('what is secret is never read out of a sentence', () => {
  const plan = { goal: 'g', steps: [], inputs: [{ name: 'tag', secret: true }] } as unknown as Plan;
  expect(withSaid(plan, 'tag v1.2.0').said).toEqual({});
});
