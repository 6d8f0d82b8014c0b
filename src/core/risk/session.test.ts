import { expect, test } from 'vitest';
import { judgeCommand } from './judge.ts';
import type { JudgeContext, Program, Written } from './types.ts';

const other: Program = { is: 'other', path: '/w/bin/ls' };
const rules = (text: string, context: JudgeContext) =>
  judgeCommand(text, context).reasons.map((reason) => reason.rule);

test('a program is safe where its name stands for the system’s own', () => {
  const asked = new Set<string>();
  const program = (name: string): Program => {
    asked.add(name);
    return name === 'ls' ? other : { is: name === 'kubectl' ? 'missing' : 'system' };
  };
  expect(judgeCommand('ls -la', { program }).level).toBe('caution');
  expect(rules('ls -la', { program })).toEqual(['program-not-proven']);
  expect(judgeCommand('cat a | grep b', { program }).level).toBe('safe');
  expect(judgeCommand('kubectl get pods', { program }).level).toBe('safe');
  expect([...asked]).toEqual(['ls', 'cat', 'grep', 'kubectl']);
});

test('what only starts another program is a program itself; what the shell does itself is none', () => {
  const program = (): Program => other;
  expect(rules('nice ls', { program: (name) => (name === 'nice' ? other : { is: 'system' }) })).toEqual([
    'program-not-proven',
  ]);
  expect(judgeCommand('cd src && pwd && echo hi', { program }).level).toBe('safe');
  expect(judgeCommand('/usr/bin/ls', { program }).level).toBe('caution');
});

test('a program that the plan has fetched is not run by its name either', () => {
  const written: Written = { files: new Map([['/w/bin/ls', 'unseen']]), folders: new Set() };
  expect(judgeCommand('ls', { program: () => other, written }).level).toBe('dangerous');
  const shown: Written = { files: new Map([['/w/bin/ls', { text: 'rm -rf keep' }]]), folders: new Set() };
  expect(judgeCommand('ls', { program: () => other, written: shown }).level).toBe('dangerous');
});

test('variables that earlier steps set end the proof where they can steer a program', () => {
  for (const name of [
    'LD_PRELOAD',
    'GIT_CONFIG_COUNT',
    'PAGER',
    'HOME',
    'KUBECONFIG',
    'npm_config_script_shell',
  ])
    expect(rules('ls', { exported: [name] }), name).toEqual(['session-variable']);
  for (const name of ['APP', 'TARGET', 'MANIFEST', 'OLDPWD', 'GOAL', 'version', 'NODE_ENV'])
    expect(judgeCommand('ls', { exported: [name] }).level, name).toBe('safe');
});

test('after PATH changed nothing is known of programs, unless somebody has looked', () => {
  expect(judgeCommand('ls', { exported: ['PATH'] }).level).toBe('caution');
  expect(judgeCommand('echo hi', { exported: ['PATH'] }).level).toBe('safe');
  expect(judgeCommand('ls', { exported: ['PATH'], program: () => ({ is: 'system' }) }).level).toBe('safe');
});

test('trust does not reach into another repository', () => {
  const trusts = (folder: string | undefined) => folder === '/w';
  const context = { workspace: '/w', cwd: '/w', trusted: true, trusts };
  expect(judgeCommand('git status', context).level).toBe('safe');
  expect(judgeCommand('cd vendor && git status', context).level).toBe('caution');
  expect(judgeCommand('git status', { ...context, cwd: '/elsewhere' }).level).not.toBe('safe');
});
