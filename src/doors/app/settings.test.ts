import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchanged, type Plan } from '../../core/contract/index.ts';
import { createSecretFilter } from '../../core/risk/secrets/index.ts';
import { checkKey, loadConfig, setConfig } from './config.ts';
import { decidesThrough } from './deciding-clients.ts';
import { excludedSteps, findStep } from './find-step.ts';
import { completeInputs, readInputs } from './inputs.ts';
import { runOptions } from './options.ts';
import { findPlaces } from './places.ts';
import { createRedactor } from './secrets.ts';
import { isTrusted, setTrust } from './trust.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'planwright-settings-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const places = () => findPlaces({ PLANWRIGHT_HOME: home });
const load = (env: Record<string, string> = {}, flags = {}) =>
  loadConfig({ places: places(), env, workspace: home, flags });

const plan: Plan = {
  goal: 'g',
  shell: 'bash',
  revision: 0,
  inputs: [{ name: 'where' }, { name: 'how', default: 'well' }],
  steps: ['Build it', 'Test it', 'Ship it'].map((title, n) => ({
    id: `s${n + 1}`,
    title,
    action: { kind: 'run-command', command: 'true' },
  })),
};

describe('places', () => {
  test('XDG folders hold where they are absolute, PLANWRIGHT_HOME over all', () => {
    expect(findPlaces({ HOME: '/h', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: 'relative' })).toMatchObject({
      data: '/d/planwright',
      userConfig: '/h/.config/planwright/config.yaml',
    });
    expect(places().data).toBe(join(home, 'data'));
  });
});

describe('configuration', () => {
  test('who decides through which client is said in the own file alone: not by whoever starts the program, nor by a folder', async () => {
    const through = (env: Record<string, string> = {}) => decidesThrough(places(), env, home, 'claude-code');
    mkdirSync(join(home, '.planwright'));
    writeFileSync(join(home, '.planwright', 'config.yaml'), 'clients.decide: claude-code\n');
    await setTrust(places(), home, true);
    expect(through({ PLANWRIGHT_CLIENTS_DECIDE: 'claude-code' })).toBe(false);
    expect(load({}, { 'clients.decide': 'claude-code' }).values['clients.decide']).toBeNull();
    await setConfig(places(), 'clients.decide', 'zed, claude-code');
    expect(through()).toBe(true);
    expect(decidesThrough(places(), {}, home, 'claude')).toBe(false);
    expect(decidesThrough(places(), {}, home, '')).toBe(false);
    await setConfig(places(), 'clients.decide', null);
    expect(through()).toBe(false);
  });

  test('what was never set can be taken out', async () => {
    await setConfig(places(), 'mode', null);
    expect(loadConfig({ places: places(), env: {}, workspace: '/' }).values.mode).toBe('planner');
  });

  test('flags over environment over trusted workspace over user over defaults', async () => {
    mkdirSync(join(home, '.planwright'));
    writeFileSync(join(home, '.planwright', 'config.yaml'), 'mode: agentic\nconcurrency: 7\n');
    await setConfig(places(), 'mode', 'teacher');
    await setConfig(places(), 'keep.days', '9');
    expect(load()).toMatchObject({
      values: { mode: 'teacher', 'keep.days': 9, concurrency: 4 },
      untrusted: expect.anything(),
    });
    await setTrust(places(), home, true);
    expect(load()).toMatchObject({ values: { mode: 'agentic', concurrency: 7 }, untrusted: null });
    expect(load({ PLANWRIGHT_CONCURRENCY: '2' }).values.concurrency).toBe(2);
    expect(load({ PLANWRIGHT_CONCURRENCY: '2' }, { concurrency: 1 })).toMatchObject({
      values: { concurrency: 1 },
      sources: { concurrency: 'flag', mode: 'workspace', 'keep.days': 'user', 'kill-grace': 'default' },
    });
  });

  test('keeps the comments of the file it writes', async () => {
    writeFileSync(places().userConfig, '# mine\nmode: planner # the usual\n');
    await setConfig(places(), 'concurrency', '3');
    expect(readFileSync(places().userConfig, 'utf8')).toBe(
      '# mine\nmode: planner # the usual\nconcurrency: 3\n',
    );
  });

  test.each([
    ['nonsense: 1\n', 'no setting "nonsense"'],
    ['mode: fast\n', 'mode'],
    ['mode: [\n', 'config.yaml'],
    ['concurrency: 0\n', 'concurrency'],
  ])('refuses %j with a sentence', (text, sentence) => {
    writeFileSync(places().userConfig, text);
    expect(() => load()).toThrow(sentence);
    expect(() => checkKey('concurency')).toThrow('did you mean concurrency?');
  });

  test('a damaged list of trusted folders trusts nothing', () => {
    writeFileSync(places().trust, '["/a"');
    expect(isTrusted(places(), '/a')).toBe(false);
  });
});

describe('what a person chose', () => {
  test('steps by number, id, title, or part of one', () => {
    expect(['2', 's2', 'test it', 'Test'].map((named) => findStep(plan, named))).toEqual([1, 1, 1, 1]);
    expect(() => findStep(plan, 'it')).toThrow('3 steps match');
    expect(() => findStep(plan, '9')).toThrow('there is no step');
    expect(excludedSteps(plan, { from: '2' })).toEqual(['s1']);
    expect(excludedSteps(plan, { only: ['Ship it', '1'] })).toEqual(['s2']);
  });

  test('the mode given over the plan over what is configured; park waits', () => {
    const { values } = load({ PLANWRIGHT_MODE: 'agentic' });
    expect(runOptions(values, plan, { attended: false }).mode).toBe('agentic');
    expect(runOptions(values, { ...plan, mode: 'teacher' }, { attended: false }).mode).toBe('teacher');
    expect(runOptions(values, { ...plan, mode: 'teacher' }, { attended: false, mode: 'planner' }).mode).toBe(
      'planner',
    );
    expect(runOptions(values, plan, { attended: false })).toMatchObject({
      onAsk: 'fail',
      onInterrupt: 'stop',
    });
    expect(runOptions(values, plan, { attended: false, onAsk: 'park' }).onAsk).toBe('wait');
    expect(runOptions(values, plan, { attended: true })).toMatchObject({ onAsk: 'wait', onInterrupt: 'ask' });
  });

  test('inputs: given, asked or default; missing with nobody to ask is an error that says how', async () => {
    expect(readInputs(plan, ['where=a=b', 'how='])).toEqual({ where: 'a=b', how: '' });
    expect(() => readInputs(plan, ['wher=x'])).toThrow('did you mean where?');
    expect(() => readInputs(plan, ['=x'])).toThrow('KEY=VALUE');
    expect(await completeInputs(plan, { where: 'x' }, null)).toEqual({ where: 'x', how: 'well' });
    await expect(completeInputs(plan, {}, null)).rejects.toThrow('--set where=VALUE');
    expect(await completeInputs(plan, {}, async ({ name }) => `${name}!`)).toEqual({
      where: 'where!',
      how: 'how!',
    });
  });
});

test('a redactor hides secrets in every text of a value, and knows what it has seen', () => {
  const redactor = createRedactor(createSecretFilter({ values: ['hunter2hunter2'] }));
  const value = { a: ['say hunter2hunter2 twice'], n: 1, none: null };
  expect(redactor.value(value)).toEqual({ a: ['say [secret] twice'], n: 1, none: null });
  expect(redactor.value(value)).toBe(redactor.value(value));
  const harmless = { b: [{ c: 'nothing' }] };
  const both = redactor.value({ harmless, list: [1, 'hunter2hunter2', harmless] });
  expect(both).toEqual({ harmless, list: [1, '[secret]', harmless] });
  expect(both.list[2], 'what has nothing to hide').toBe(harmless);
  const named = redactor.value(JSON.parse('{"__proto__":{"x":"hunter2hunter2"}}'));
  expect(JSON.stringify(named)).toBe('{"__proto__":{"x":"[secret]"}}');
  const texts = Array.from({ length: 200 }, (_, n) => ({ n, text: 'hunter2hunter2' }));
  const long = exchanged(texts, 0, { n: 0, text: 'nothing' });
  const hidden = texts.map(({ n }) => ({ n, text: n === 0 ? 'nothing' : '[secret]' }));
  expect([...redactor.value(long)], 'a list in pieces').toEqual(hidden);
  const later = redactor.value(exchanged(long, 0, { n: 0, text: 'more' }));
  expect(later.at(150), 'a piece that it has seen').toBe(redactor.value(long).at(150));
});
