import { expect, test } from 'vitest';
import type { Action, Verdict } from '../../core/contract/index.ts';
import type { Performer } from '../../core/run/index.ts';
import { askWithoutSandbox } from './sandbox.ts';

const verdict: Verdict = { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] };
const performer = askWithoutSandbox(
  { judge: async () => ({ verdict }) } as unknown as Performer,
  'corrections',
);
const levelOf = async (action: Action, unseen = true) => {
  const work = { unseen, step: { id: 's', title: 't', action } } as Parameters<Performer['judge']>[0];
  return (await performer.judge(work, new AbortController().signal)).verdict.level;
};
const write: Action = { kind: 'write-file', path: 'a', content: '' };
const tool: Action = { kind: 'call-tool', tool: 't', args: {} };

test('what no person has seen and nothing confines is asked for, in a loop too; what confines itself is not', async () => {
  expect(await levelOf({ kind: 'start', name: 'n', command: 'c', keep: false })).toBe('dangerous');
  expect(await levelOf(tool)).toBe('dangerous');
  expect(await levelOf({ kind: 'repeat', times: 2, do: tool })).toBe('dangerous');
  expect(await levelOf(tool, false)).toBe('caution');
  expect(await levelOf(write)).toBe('caution');
  expect(await levelOf({ kind: 'repeat', times: 2, do: write })).toBe('caution');
});
