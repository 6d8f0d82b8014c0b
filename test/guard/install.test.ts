import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { guardedAgents } from '../../src/core/contract/guard/index.ts';
import {
  agentsHere,
  applyEdit,
  guardStatus,
  type InstallQuery,
  planInstall,
  planUninstall,
  settingsFile,
} from '../../src/doors/app/guard/setup.ts';
import { findPlaces } from '../../src/doors/app/places.ts';

const program = { words: ['/opt/node', '/opt/planwright.js'], checkpoints: 'auto' };
let query: InstallQuery;
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-guard-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
  query = { places: findPlaces(env), env, workspace: join(home, 'site'), scope: 'user' };
});

const install = async (agent: (typeof guardedAgents)[number]) => {
  const edit = planInstall(agent, query, program);
  if (edit !== null) await applyEdit(query.places, edit, 'install');
  return edit;
};
const uninstall = async (agent: (typeof guardedAgents)[number]) => {
  const edit = planUninstall(agent, query);
  if (edit !== null) await applyEdit(query.places, edit, 'uninstall');
  return edit;
};

test.each(guardedAgents.map((agent) => [agent]))('%s: where nothing was, nothing is left', async (agent) => {
  const file = settingsFile(agent, query);
  await install(agent);
  expect(guardStatus(agent, query, program).state).toBe('installed');
  expect(await install(agent)).toBeNull();
  expect(guardStatus(agent, query, { ...program, words: ['/new/node'] }).state).toBe('other');
  await uninstall(agent);
  expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, false]);
  expect(await uninstall(agent)).toBeNull();
});

test.each(guardedAgents.map((agent) => [agent]))(
  '%s: how the folder is kept stays as it was chosen, until another way is named',
  async (agent) => {
    const file = settingsFile(agent, query);
    const asked = planInstall(agent, query, { ...program, checkpoints: 'required' });
    await applyEdit(query.places, asked!, 'install');
    const unsaid = { ...program, checkpoints: null };
    expect(guardStatus(agent, query, unsaid).state).toBe('installed');
    expect(planInstall(agent, query, unsaid)).toBeNull();
    const newer = planInstall(agent, query, { words: ['/new/node'], checkpoints: null });
    await applyEdit(query.places, newer!, 'install');
    expect(readFileSync(file, 'utf8')).toContain('--checkpoints=required');
    expect(planInstall(agent, query, program)?.after).not.toContain('--checkpoints=required');
  },
);

test('a file is put back to the byte, with its mode, where it really is', async () => {
  const text = '{\n\t"hooks": {"PreToolUse": [ ]},\r\n  "a": [1,2 ,] // mine\n}';
  mkdirSync(join(home, 'dotfiles'));
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, 'dotfiles/settings'), text, { mode: 0o640 });
  symlinkSync('../dotfiles/settings', join(home, '.claude/settings.json'));
  await install('claude-code');
  await install('claude-code');
  expect(readFileSync(join(home, 'dotfiles/settings'), 'utf8')).toContain('planwright-guard');
  await uninstall('claude-code');
  expect(readFileSync(join(home, 'dotfiles/settings'), 'utf8')).toBe(text);
  expect(statSync(join(home, 'dotfiles/settings')).mode & 0o777).toBe(0o640);
});

test('what somebody added since stays, and only what is ours goes', async () => {
  mkdirSync(join(home, '.gemini'));
  const file = join(home, '.gemini/settings.json');
  writeFileSync(file, '{\n  "ui": {} // mine\n}\n');
  await install('gemini');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"ui": {}', '"ui": {}, "more": 1'));
  await uninstall('gemini');
  expect(readFileSync(file, 'utf8')).toBe('{\n  "ui": {}, "more": 1 // mine\n}\n');
});

test('a damaged file is left alone, and said', async () => {
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude/settings.json'), '{"hooks": ');
  expect(() => planInstall('claude-code', query, program)).toThrow(/settings\.json: it is damaged/);
  expect(guardStatus('claude-code', query, program).state).toBe('damaged');
});

test('a file that changes between the diff and the change is not overwritten', async () => {
  mkdirSync(join(home, '.claude'));
  const file = join(home, '.claude/settings.json');
  writeFileSync(file, '{}');
  const edit = planInstall('claude-code', query, program)!;
  writeFileSync(file, '{"mine": 1}');
  await expect(applyEdit(query.places, edit, 'install')).rejects.toThrow(/has changed meanwhile/);
  expect(readFileSync(file, 'utf8')).toBe('{"mine": 1}');
});

test('those are found whose folder is there', () => {
  for (const folder of ['.codex', '.config/opencode']) mkdirSync(join(home, folder), { recursive: true });
  expect(agentsHere(query)).toEqual(['codex', 'opencode']);
});
