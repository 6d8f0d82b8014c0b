import { expect, test } from 'vitest';
import type { Action, Verdict } from '../../core/contract/index.ts';
import type { JudgeWork } from '../../core/run/index.ts';
import { askWithoutSandbox, type SandboxRules } from './sandboxing.ts';

const verdict: Verdict = { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] };
const rules = { which: 'corrections', home: '/h', caches: [], storeDir: '/s' } as unknown as SandboxRules;
const levelOf = async (action: Action, unseen = true) => {
  const work = { unseen, step: { id: 's', title: 't', action } } as JudgeWork;
  return (await askWithoutSandbox(verdict, work, rules)).level;
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
