import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agreeAtFirst, agreeTo, changedSentence, ownFiles } from './agreed.ts';
import { loadConfig, setConfig } from './config.ts';
import { findPlaces, type Places } from './places.ts';
import { loadRules, removeUserRule, replaceUserRules } from './rules.ts';
import { isTrusted, setTrust, trustedFolders } from './trust.ts';

let home: string;
let work: string;
let places: Places;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'planwright-agreed-'));
  work = mkdtempSync(join(tmpdir(), 'planwright-agreed-'));
  mkdirSync(join(work, '.planwright'));
  places = findPlaces({ PLANWRIGHT_HOME: home });
});
afterEach(() => {
  for (const folder of [home, work]) rmSync(folder, { recursive: true, force: true });
});

const rule = (effect: string, command: string) => `- {effect: ${effect}, command: ${command}}\n`;
const rules = () =>
  loadRules({ places, workspace: work }).map(({ effect, command }) => `${effect} ${command}`);
const config = () => loadConfig({ places, env: {}, workspace: work });
/** As a script does that a step started, or a person with an editor. */
const write = (path: string, text: string) => writeFileSync(path, text);

describe("what is there before the first run is the person's", () => {
  test('and one that cannot be read, and that nobody agreed to, keeps nobody from working', async () => {
    write(places.rules, `rules:\n${rule('deny', 'git push')}`);
    await agreeAtFirst(places);
    write(places.rules, 'rules: [{allow: "rm *"}]');
    expect(rules()).toEqual(['deny git push']);
    await agreeTo(places, [places.rules]);
    expect(rules).toThrow('there is no `allow`');
  });

  test('and what comes later is not', async () => {
    write(places.rules, `rules:\n${rule('allow', 'rm -rf build')}`);
    expect(rules()).toEqual(['allow rm -rf build']);
    await agreeAtFirst(places);
    expect(rules()).toEqual(['allow rm -rf build']);
    write(places.rules, `rules:\n${rule('allow', 'rm -rf keep')}${rule('deny', 'git push')}`);
    expect(rules()).toEqual(['allow rm -rf build', 'deny git push']);
    expect(changedSentence(places, ownFiles(places), 'say so')).toContain(places.rules);
    await agreeTo(places, ownFiles(places));
    expect(rules()).toEqual(['allow rm -rf keep', 'deny git push']);
  });

  test('a file that was not there then, and one that is gone', async () => {
    await agreeAtFirst(places);
    write(places.rules, `rules:\n${rule('allow', 'rm -rf keep')}`);
    write(places.userConfig, 'sandbox: off\n');
    write(places.trust, JSON.stringify([work]));
    expect([rules(), config().values.sandbox, isTrusted(places, work)]).toEqual([[], 'corrections', false]);
    await replaceUserRules(places, `rules:\n${rule('deny', 'git push')}`);
    rmSync(places.rules);
    expect(rules()).toEqual(['deny git push']);
  });

  test('in a store that has runs and no record, nothing is', () => {
    mkdirSync(places.data);
    write(join(places.data, 'planwright.db'), '');
    write(places.rules, `rules:\n${rule('allow', 'rm -rf keep')}${rule('ask', 'make')}`);
    write(places.trust, JSON.stringify([work]));
    expect([rules(), trustedFolders(places)]).toEqual([['ask make'], []]);
  });
});

test('what somebody else changed is not agreed to by changing something else in it', async () => {
  await setConfig(places, 'mode', 'teacher');
  write(places.userConfig, 'mode: teacher\nsandbox: off\n');
  expect(config().values.sandbox).toBe('corrections');
  await expect(setConfig(places, 'concurrency', '2')).rejects.toThrow('planwright trust --own');
  await replaceUserRules(places, `rules:\n- {id: a, effect: deny, command: a}\n`);
  write(places.rules, `rules:\n- {id: a, effect: deny, command: a}\n${rule('allow', 'rm -rf keep')}`);
  await expect(removeUserRule(places, 'a')).rejects.toThrow('planwright trust --own');
});

test("a trusted folder's rules and settings are used as they were when it was trusted", async () => {
  const [settings, project, local] = ['config.yaml', 'rules.yaml', 'rules.local.yaml'].map((name) =>
    join(work, '.planwright', name),
  ) as [string, string, string];
  write(settings, 'concurrency: 7\n');
  write(project, `rules:\n${rule('allow', 'make clean')}`);
  await setTrust(places, work, true);
  expect([rules(), config().values.concurrency]).toEqual([['allow make clean'], 7]);
  write(settings, 'concurrency: 7\nsandbox: off\n');
  write(local, `rules:\n${rule('allow', 'rm -rf keep')}${rule('ask', 'make')}`);
  expect(rules()).toEqual(['allow make clean', 'ask make']);
  expect(config()).toMatchObject({ values: { concurrency: 7, sandbox: 'corrections' }, untrusted: settings });
  await setTrust(places, work, true);
  expect(rules()).toContain('allow rm -rf keep');
  expect(config()).toMatchObject({ values: { sandbox: 'off' }, untrusted: null });
});
