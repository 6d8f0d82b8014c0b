import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { findPlaces } from '../places.ts';
import { applyEdit, type InstallQuery, planInstall, planUninstall } from './install.ts';

let query: InstallQuery;
let file: string;

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'planwright-install-'));
  const env = { HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
  query = { places: findPlaces(env), env, workspace: home, scope: 'user' };
  file = join(home, '.claude/settings.json');
  mkdirSync(join(home, '.claude'));
  mkdirSync(query.places.data, { recursive: true });
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const install = (name: string) =>
  applyEdit(
    query.places,
    planInstall('claude-code', query, { words: ['node', name], checkpoints: 'auto' })!,
    'install',
  );
const uninstall = () => applyEdit(query.places, planUninstall('claude-code', query)!, 'uninstall');
const text = () => readFileSync(file, 'utf8');

test('what a person changes between two installations is there after the guard has gone', async () => {
  writeFileSync(file, '{\n  "model": "a"\n}\n');
  await install('one');
  writeFileSync(file, text().replace('"a"', '"b"'));
  await install('two');
  await uninstall();
  expect(text()).toBe('{\n  "model": "b"\n}\n');
});

test('what a person writes anew, without the guard, is there too', async () => {
  writeFileSync(file, '{ "model": "a" }');
  await install('one');
  writeFileSync(file, '{ "model": "b" }');
  await install('one');
  await uninstall();
  expect(text()).toBe('{ "model": "b" }');
});

test.each(['null', '[]', '3', '{', '{"FILE":3}', '{"FILE":{"before":3,"after":4,"made":5}}'])(
  'a record of installations that is damaged, %s, keeps nothing from being put in or taken out',
  async (record) => {
    const damage = () => writeFileSync(join(query.places.data, 'guard.json'), record.replace('FILE', file));
    writeFileSync(file, '{\n  "model": "a"\n}\n');
    damage();
    await install('one');
    damage();
    await uninstall();
    expect(JSON.parse(text())).toEqual({ model: 'a' });
  },
);
