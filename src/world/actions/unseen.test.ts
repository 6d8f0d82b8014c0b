import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Action, Verdict } from '../../core/contract/index.ts';
import type { JudgeWork } from '../../core/run/index.ts';
import { probeSandbox } from '../process/index.ts';
import type { SandboxRules } from './sandboxing.ts';
import { askWithoutSandbox, lacksInSandbox } from './unseen.ts';

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

test('what fetches lacks the network in a sandbox, unless it has it or runs in none', async () => {
  const { works } = await probeSandbox();
  const action: Action = { kind: 'run-command', command: 'npm ci' };
  const folder = mkdtempSync(join(tmpdir(), 'pw-unseen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const session = { cwd: folder, env: {} };
  const lacks = (more: Partial<JudgeWork>, which = 'corrections', fetches: Verdict['fetches'] = 'named') => {
    const step = { id: 's', title: 't', action };
    const work = { unseen: true, grants: null, session, step, ...more } as JudgeWork;
    const given = { ...verdict, fetches };
    return lacksInSandbox(given, work, { ...rules, which } as SandboxRules);
  };
  expect(await lacks({})).toEqual(works ? { network: true } : null);
  expect(await lacks({ grants: { write: ['/x'] } })).toEqual(works ? { write: ['/x'], network: true } : null);
  expect(await lacks({ grants: { network: true } })).toBeNull();
  expect(await lacks({ unseen: false })).toBeNull();
  expect(await lacks({}, 'off')).toBeNull();
  expect(await lacksInSandbox(verdict, { unseen: true } as JudgeWork, rules)).toBeNull();
  const listing = (dependencies: object) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
    return lacks({}, 'corrections', 'listed');
  };
  expect(await listing({ a: 'file:../a', b: 'workspace:*' })).toBeNull();
  expect(await listing({ a: 'file:../a', b: '^1.0.0' })).toEqual(works ? { network: true } : null);
});
