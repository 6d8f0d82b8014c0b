import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CheckpointPolicy, Mode, OnAskPolicy, OnFailure, Shell } from '../../core/contract/index.ts';
import { readArguments } from './command.ts';
import { completionFor } from './completion.ts';
import { commandHelp, generalHelp, groups } from './help.ts';
import { registry } from './registry.ts';

test('the help has every command in one group, examples and the environment', () => {
  const named = groups.flatMap(([, names]) => names);
  expect([...named].sort()).toEqual(registry.map(({ name }) => name).sort());
  const help = generalHelp();
  for (const word of ['PLANWRIGHT_HOME', 'NO_COLOR', 'Examples', 'Decide']) expect(help).toContain(word);
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('that a command runs something stands where one reads what it is for', () => {
  const about = registry.find(({ name }) => name === 'diagnose')!;
  expect(about.about).toMatch(/^Run a command\b/);
  expect(commandHelp(about)).toContain(about.about);
});

test('every command has JSON for machines', () => {
  // What speaks a protocol on its output speaks nothing else.
  const spoken = registry.filter(({ name }) => name !== 'mcp' && name !== 'acp');
  expect(spoken.filter(({ options }) => options['json'] === undefined).map(({ name }) => name)).toEqual([]);
});

test('every example is one that the command takes', () => {
  for (const command of registry) {
    for (const example of command.examples ?? []) {
      const [name, ...args] = example
        .replace(/ < .*/, '')
        .match(/"[^"]*"|\S+/g)!
        .map((word) => word.replaceAll('"', ''));
      expect(name).toBe(command.name);
      expect(() => readArguments(command, args), example).not.toThrow();
      expect(commandHelp(command)).toContain(`planwright ${example}`);
    }
  }
});

test('the words of an option are those that it takes', () => {
  const known: Record<string, readonly string[]> = {
    mode: Mode.options,
    shell: Shell.options,
    'on-ask': OnAskPolicy.options,
    'on-failure': OnFailure.options,
    checkpoints: CheckpointPolicy.options,
  };
  for (const { options } of registry) {
    for (const [key, { words }] of Object.entries(options)) {
      if (words !== undefined && known[key] !== undefined)
        expect([...words].sort()).toEqual([...known[key]].sort());
    }
  }
});

test('bash completes commands, words of options, and runs', () => {
  const complete = (...words: string[]) => {
    const script = `planwright() { echo 4fk2aaaa; }
${completionFor('bash', registry)}
COMP_WORDS=(planwright "$@"); COMP_CWORD=$#; _planwright; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };
  expect(complete('he')).toEqual(['help']);
  expect(complete('help', 'und')).toEqual(['undo']);
  expect(complete('run', '--mode', 'a')).toEqual(['agentic']);
  expect(complete('run', '--on-ask', '')).toEqual(['fail', 'deny', 'park']);
  expect(complete('show', '')).toEqual(['4fk2aaaa']);
  expect(complete('undo', '--over')).toEqual(['--overwrite', '--overwrite-all']);
});
