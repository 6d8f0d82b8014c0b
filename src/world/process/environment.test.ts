import { describe, expect, test } from 'vitest';
import { baseEnvironment, environmentChanges, stepEnvironment } from './environment.ts';

const marker = { run: 'r', step: 's', epoch: 7 };

describe('the base environment', () => {
  test('leaves out what would run before the gate opens, and what is ours', () => {
    const kept = { PATH: '/bin', LD_PRELOAD: 'x.so', 'npm.thing': '1', EMPTY: '' };
    const dropped = {
      BASH_ENV: 'x',
      ENV: 'x',
      'BASH_FUNC_ls%%': '() { :; }',
      BASH_XTRACEFD: '2',
      PROMPT_COMMAND: 'x',
      SHELLOPTS: 'xtrace',
      BASHOPTS: 'extdebug',
      PS4: '$(x)',
      PLANWRIGHT_TOKEN: 'secret',
      GONE: undefined,
    };
    expect(baseEnvironment({ ...kept, ...dropped })).toEqual(kept);
  });
});

describe('what a step starts with', () => {
  test('changes are applied over the base, denied names are not', () => {
    const session = { cwd: '/w', env: { A: null, B: '2', BASH_ENV: '/x', PLANWRIGHT_RUN: 'other' } };
    expect(stepEnvironment({ A: '1', C: '3' }, session, marker)).toEqual({
      B: '2',
      C: '3',
      PWD: '/w',
      PLANWRIGHT_RUN: 'r',
      PLANWRIGHT_STEP: 's',
      PLANWRIGHT_EPOCH: '7',
    });
  });
});

describe('what a step leaves', () => {
  test('is the difference from the base, and not what every shell changes', () => {
    const base = { SAME: '1', CHANGED: '1', GONE: '1', 'not.a.name': '1', constructor: 'c' };
    const reported = new Map([
      ['SAME', '1'],
      ['CHANGED', '2'],
      ['NEW', ''],
      ['constructor', 'c'],
      ['toString', 'own'],
      ['__proto__', 'x'],
      ['SHLVL', '3'],
      ['_', '/bin/x'],
      ['PWD', '/elsewhere'],
      ['PLANWRIGHT_RUN', 'r'],
      ['BASH_ENV', '/x'],
    ]);
    const changes = environmentChanges(base, reported);
    expect(changes).toEqual({ CHANGED: '2', NEW: '', GONE: null, toString: 'own' });
  });
});
