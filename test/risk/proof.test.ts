import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import proof from './proof.json' with { type: 'json' };

/**
 * Commands written with the tables of what is safe in view, to get past them: options that are abbreviated, joined,
 * clustered or out of place; values that name a program, a file or a server; operands that are verbs; secrets.
 */
const place = { workspace: '/w/project', cwd: '/w/project', home: '/home/u' };
const called = (level: 'safe' | 'not', commands: readonly string[], trusted: boolean): string[] =>
  commands.filter(
    (command) => (judgeCommand(command, { ...place, trusted }).level === 'safe') === (level === 'safe'),
  );

describe('the proof of safety', () => {
  test('nothing that goes beyond its table is safe, in a trusted folder or elsewhere', () => {
    expect(proof.never.length).toBeGreaterThan(1_000);
    expect(called('safe', proof.never, true)).toEqual([]);
    expect(called('safe', proof.never, false)).toEqual([]);
  });

  test('what runs code of its folder, or follows its settings, is safe where that is trusted and only there', () => {
    expect(called('safe', proof.untrusted, false)).toEqual([]);
    expect(called('not', proof.untrusted, true)).toEqual([]);
  });

  test('everyday reading is safe in a trusted folder', () => {
    expect(called('not', proof.proven, true)).toEqual([]);
  });
});
