import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessGroup } from '../../../core/contract/index.ts';
import { type AgentMode, agentModes, type Brief } from '../../../core/contract/tasks/index.ts';
import { failedResult } from '../../../core/run/index.ts';
import { inspectGroup } from '../../../world/process/index.ts';
import type { Agent, AgentConfig, AgentContext, AgentHost } from '../agent.ts';

/** What an agent is to do; in each it says `Looking.` first, but where it is silent. */
export type Scene = 'comes to its end' | 'hangs' | 'breaks' | 'answers in another shape' | 'says nothing';

export interface AgentUnderTest {
  /** The mode that it is tried in. */
  mode: AgentMode;
  make(scene: Scene): Agent;
  /** One that lacks what it needs; null where there is none like that. */
  absent: (() => Agent) | null;
  /** It is a program, or starts one. */
  isProcess: boolean;
}

const brief: Brief = {
  ...{ title: 'Add a flag', description: '', kind: 'feature', subtasks: [], plan: null, planComments: [] },
  ...{ reviewComments: [], reviewRounds: 0, related: null, answers: [], context: [] },
};

export const config: AgentConfig = { turns: 20, timeMs: 60_000, money: 1, tokens: 10_000, onAsk: 'deny' };

/** A run of an agent in a folder of its own, and what it did. */
export function aRun(mode: AgentMode, given: Partial<AgentHost> = {}) {
  const worktree = mkdtempSync(join(tmpdir(), 'planwright-agent-'));
  onTestFinished(() => rmSync(worktree, { recursive: true, force: true }));
  const groups: ProcessGroup[] = [];
  const host: AgentHost = {
    named: async () => true,
    commit: async () => null,
    spawned: async (group) => groups.push(group) > 0,
    allowed: async () => ({ ok: true }),
    read: async () => '',
    perform: async () => failedResult('denied', 'nothing is done here'),
    ...given,
  };
  const run = `run-${Math.random().toString(36).slice(2, 10)}`;
  const context: AgentContext = {
    ...{ run, task: 'task', mode, worktree, branch: 'task/task/plan', attempt: 1 },
    ...{ prompt: 'Do it.', brief, session: null, host },
  };
  let said = '';
  const heard = Promise.withResolvers<void>();
  const onOutput = (chunk: string): void => {
    said += chunk;
    if (said.includes('Looking.')) heard.resolve();
  };
  return { context, groups, onOutput, said: () => said, heard: heard.promise };
}

/** What holds for every agent, whoever wrote it. */
export function describeAgent(name: string, { mode, make, absent, isProcess }: AgentUnderTest): void {
  describe(`the agent ${name}`, () => {
    const { outcome } = agentModes[mode];

    it('comes to its end: it is told what to do, says what it does, and what it came to is read', async () => {
      const { context, onOutput, said, groups } = aRun(mode);
      const agent = make('comes to its end');
      expect(await agent.isAvailable()).toBe(true);
      let prompt = '';
      const ended = await agent.execute(context, config, onOutput, undefined, (text) => {
        prompt = text;
      });
      expect(ended).toMatchObject({ exitCode: 0, outcome, why: null });
      expect(ended.payload).toMatchObject(mode === 'review' ? { comments: [] } : { plan: '# Plan' });
      expect(said()).toContain('Looking.');
      expect(prompt).toContain('Do it.');
      expect(groups.length > 0).toBe(isProcess);
      expect(groups.map((group) => inspectGroup(group, context.run))).toEqual(groups.map(() => 'absent'));
    });

    it('is stopped by its run and by no other, with all that it started; what it said is kept', async () => {
      const agent = make('hangs');
      const [one, other] = [aRun(mode), aRun(mode)];
      const running = [one, other].map(({ context, onOutput }) => agent.execute(context, config, onOutput));
      await Promise.all([one.heard, other.heard]);
      await agent.stop('nobody');
      await agent.stop(one.context.run);
      expect(await running[0]).toMatchObject({ exitCode: 1, outcome: 'failed', why: 'stopped' });
      expect(one.groups.map((group) => inspectGroup(group, one.context.run))).toEqual(
        one.groups.map(() => 'absent'),
      );
      expect(other.groups.map((group) => inspectGroup(group, other.context.run))).toEqual(
        other.groups.map(() => 'ours'),
      );
      await agent.stop(other.context.run);
      expect(await running[1]).toMatchObject({ exitCode: 1, why: 'stopped' });
      expect(one.said()).toContain('Looking.');
    });

    it('is stopped before it has begun: it does not begin, and leaves nothing', async () => {
      const agent = make('hangs');
      const { context, onOutput, groups } = aRun(mode);
      const running = agent.execute(context, config, onOutput);
      await agent.stop(context.run);
      expect(await running).toMatchObject({ exitCode: 1, outcome: 'failed', why: 'stopped' });
      expect(groups.map((group) => inspectGroup(group, context.run))).toEqual(groups.map(() => 'absent'));
    });

    it('breaks: exit code 1, a reason, and what it said before', async () => {
      const { context, onOutput, said } = aRun(mode);
      const ended = await make('breaks').execute(context, config, onOutput);
      expect(ended).toMatchObject({
        exitCode: 1,
        outcome: 'failed',
        why: 'error',
        message: expect.any(String),
      });
      expect(said()).toContain('Looking.');
    });

    it('answers in another shape: its words count, and no verdict is made up', async () => {
      const { context, onOutput } = aRun(mode);
      const ended = await make('answers in another shape').execute(context, config, onOutput);
      expect(ended).toMatchObject(
        mode === 'review'
          ? { exitCode: 1, outcome: 'failed' }
          : { exitCode: 0, payload: { plan: 'Just do it.' } },
      );
    });

    it('says nothing: that is no plan and no review', async () => {
      const { context, onOutput } = aRun(mode);
      expect(await make('says nothing').execute(context, config, onOutput)).toMatchObject({
        exitCode: 1,
        outcome: 'failed',
      });
    });

    if (absent !== null)
      it('says that it is not there, and never throws', async () => {
        const { context, onOutput } = aRun(mode);
        const agent = absent();
        expect(await agent.isAvailable()).toBe(false);
        expect(await agent.execute(context, config, onOutput)).toMatchObject({ exitCode: 1 });
      });
  });
}
