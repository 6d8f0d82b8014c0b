import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import labels from './labels.json' with { type: 'json' };

/**
 * Commands that other projects judged. Labels that are wrong for us are in labels.json with their reason; they
 * can excuse too much caution, never a "safe".
 */
type Expected = 'safe' | 'not_safe' | 'dangerous' | 'not_dangerous' | 'blocked';
interface Case {
  readonly command: string;
  readonly expected: Expected;
}

const folder = fileURLToPath(new URL('../../../shared/corpora/', import.meta.url));
const present = existsSync(folder);
if (!present) console.warn(`the corpora are not here (${folder}): their tests are skipped`);

const read = (name: string): unknown => JSON.parse(readFileSync(folder + name, 'utf8'));
const cases: readonly Case[] = present ? (read('risk-cases.json') as { cases: Case[] }).cases : [];
const evasions: readonly Case[] = present ? (read('risk-evasions.json') as Case[]) : [];
const excused = new Map(labels.map((label) => [label.command, label]));

const grave = (command: string): boolean => ['dangerous', 'blocked'].includes(judgeCommand(command).level);
const labelled = (expected: Expected, list = cases): string[] =>
  list
    .filter((found) => found.expected === expected && !excused.has(found.command))
    .map((found) => found.command);
const share = (part: readonly string[], whole: readonly string[]): number => part.length / whole.length;

describe.skipIf(!present)('the corpora', () => {
  test('no command labelled dangerous, not safe or an evasion is called safe, excused or not', () => {
    const risky = [...cases, ...evasions].filter(({ expected }) =>
      ['dangerous', 'not_safe', 'blocked'].includes(expected),
    );
    expect(risky.length).toBeGreaterThan(3000);
    expect(
      risky.filter(({ command }) => judgeCommand(command).level === 'safe').map(({ command }) => command),
    ).toEqual([]);
  });

  test('at least 95 % of the dangerous cases come out dangerous or blocked', () => {
    const all = cases.filter(({ expected }) => expected === 'dangerous').map(({ command }) => command);
    const found = all.filter(grave);
    expect(share(found, all)).toBeGreaterThanOrEqual(0.95);
  });

  test('every dangerous evasion is found, and every blocked one is blocked', () => {
    expect(labelled('dangerous', evasions).filter((command) => !grave(command))).toEqual([]);
    expect(
      labelled('blocked', evasions).filter((command) => judgeCommand(command).level !== 'blocked'),
    ).toEqual([]);
  });

  test('at most 2 % of what is not dangerous is called so', () => {
    const all = labelled('not_dangerous');
    const wrong = all.filter(grave);
    expect(share(wrong, all), wrong.join('\n')).toBeLessThanOrEqual(0.02);
  });

  test('at least 60 % of the safe cases are proven safe, and none is blocked', () => {
    const all = labelled('safe');
    expect(
      share(
        all.filter((command) => judgeCommand(command).level === 'safe'),
        all,
      ),
    ).toBeGreaterThanOrEqual(0.6);
    expect(all.filter((command) => judgeCommand(command).level === 'blocked')).toEqual([]);
  });

  test('excuses are few, have a reason, name a case, and still disagree', () => {
    const known = new Set(cases.map((found) => `${found.expected}: ${found.command}`));
    expect(labels.length).toBeLessThanOrEqual(cases.length * 0.03);
    for (const label of labels) {
      expect(known).toContain(`${label.expected}: ${label.command}`);
      expect(label.reason.length, label.command).toBeGreaterThan(15);
      expect(grave(label.command), label.command).toBe(true);
    }
  });
});
