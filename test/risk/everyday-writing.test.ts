import { expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import cases from './everyday-writing.json' with { type: 'json' };

/**
 * Ordinary development in the project's own folder: installs, builds, commits, moves, edits, containers. Half of it was
 * kept aside while the rules were written.
 */
const context = { workspace: '/home/me/app', cwd: '/home/me/app', home: '/home/me', trusted: true };
const isAsked = (command: string): boolean =>
  ['dangerous', 'blocked'].includes(judgeCommand(command, context).level);

test.each([
  ['what the rules were tried on', false],
  ['what was kept aside', true],
])('of everyday writing at most one in twenty is asked: %s', (_, aside) => {
  const half = cases.filter(({ keptAside }) => (keptAside === true) === aside);
  const asked = half.filter(({ command }) => isAsked(command)).map(({ command }) => command);
  expect(half.length).toBeGreaterThanOrEqual(75);
  expect(asked.length / half.length, asked.join('\n')).toBeLessThanOrEqual(0.05);
});

test('none of it is called safe', () => {
  expect(
    cases
      .filter(
        ({ command, expected }) => expected !== 'safe' && judgeCommand(command, context).level === 'safe',
      )
      .map(({ command }) => command),
  ).toEqual([]);
});
