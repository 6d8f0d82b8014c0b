import { expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import probes from './probes.json' with { type: 'json' };

/** Commands of our own, made up to try the rules rather than to fit them. */
const level = (command: string) => judgeCommand(command).level;
const wrong = (commands: readonly string[], isRight: (level: string) => boolean): string[] =>
  commands.filter((command) => !isRight(level(command))).map((command) => `${command} → ${level(command)}`);

test('what destroys, exposes or hides is dangerous, however it is wrapped', () => {
  expect(wrong(probes.dangerous, (found) => found === 'dangerous' || found === 'blocked')).toEqual([]);
});

test('what no plan needs is blocked, in every disguise', () => {
  expect(wrong(probes.blocked, (found) => found === 'blocked')).toEqual([]);
});

test('everyday work does not ask for an approval', () => {
  expect(wrong(probes.notDangerous, (found) => found === 'safe' || found === 'caution')).toEqual([]);
});

test('what writes, runs or shows secrets in a quiet way is not safe', () => {
  expect(wrong(probes.notSafe, (found) => found !== 'safe')).toEqual([]);
});
