import { expect, test } from 'vitest';
import type { Action } from '../contract/index.ts';
import { judgeAction } from './action.ts';

const context = { workspace: '/work/app', cwd: '/work/app', home: '/home/me', storeDir: '/data/pw' };
const level = (action: Action) => judgeAction(action, context).level;
const rules = (action: Action) => judgeAction(action, context).reasons.map((reason) => reason.rule);

test('writing in the workspace is caution; what runs by itself later is dangerous', () => {
  expect(level({ kind: 'write-file', path: 'src/a.txt', content: 'x' })).toBe('caution');
  expect(rules({ kind: 'write-file', path: '.git/hooks/pre-commit', content: 'x' })).toContain('persistence');
  expect(rules({ kind: 'append-file', path: '/home/me/.bashrc', content: 'x' })).toContain('persistence');
  expect(rules({ kind: 'append-file', path: '~/.ssh/authorized_keys', content: 'x' })).toContain(
    'login-keys',
  );
  expect(rules({ kind: 'write-file', path: '.github/workflows/ci.yml', content: 'x' })).toContain(
    'ci-configuration',
  );
  expect(rules({ kind: 'edit-file', path: 'package.json', old: 'a', new: '"postinstall": "x"' })).toContain(
    'action-package-scripts',
  );
  expect(level({ kind: 'edit-file', path: 'package.json', old: '1.0', new: '1.1' })).toBe('caution');
});

test('outside the workspace is dangerous, the store and what is vital are blocked', () => {
  expect(rules({ kind: 'write-file', path: '../other/a', content: '' })).toContain('outside-workspace');
  expect(rules({ kind: 'create-dir', path: '/work/app/../x' })).toContain('outside-workspace');
  expect(level({ kind: 'write-file', path: '/data/pw/journal.db', content: '' })).toBe('blocked');
  expect(level({ kind: 'delete-path', path: '.' })).toBe('blocked');
  expect(level({ kind: 'delete-path', path: '/work' })).toBe('blocked');
  expect(level({ kind: 'delete-path', path: 'dist' })).toBe('dangerous');
  expect(level({ kind: 'move-path', from: '/home/me', to: 'x' })).toBe('blocked');
});

test('reading is safe unless it is a secret', () => {
  expect(level({ kind: 'read-file', path: 'package.json', as: 'a' })).toBe('safe');
  expect(level({ kind: 'read-file', path: '.env', as: 'a' })).toBe('dangerous');
  expect(rules({ kind: 'copy-path', from: '~/.ssh/id_rsa', to: 'x' })).toContain('secret-read');
  expect(level({ kind: 'list-files', pattern: 'src/**/*.ts', as: 'a' })).toBe('safe');
});

test('loops, scripts and services are judged by what they run', () => {
  expect(level({ kind: 'for-each', list: 'a', do: { kind: 'run-command', command: 'rm {item}' } })).toBe(
    'dangerous',
  );
  expect(level({ kind: 'repeat', times: 3, do: { kind: 'run-command', command: 'ls' } })).toBe('safe');
  expect(level({ kind: 'run-script', script: 'set -e\nrm -rf /\n' })).toBe('blocked');
  expect(level({ kind: 'start', name: 'site', command: 'python3 -m http.server', keep: false })).toBe(
    'caution',
  );
  expect(level({ kind: 'ask', question: 'Which?', as: 'a' })).toBe('safe');
  expect(level({ kind: 'call-tool', tool: 't', args: {} })).toBe('dangerous');
  expect(level({ kind: 'stop', name: 'site' })).toBe('safe');
});
