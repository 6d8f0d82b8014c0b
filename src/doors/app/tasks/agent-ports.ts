import type { AgentRunState, ProjectState } from '../../../core/contract/tasks/index.ts';
import type { AgentPorts } from '../../../core/tasks/index.ts';
import { endGroup, endMarked } from '../../../world/process/index.ts';
import { commitLeft } from '../../../world/worktrees/index.ts';
import { isTrusted } from '../trust.ts';
import { admit } from './admit.ts';
import { endConversation } from './conversing.ts';
import type { TaskDriving } from './driving.ts';
import { worktreesOf } from './git.ts';
import { performAgent } from './perform-agent.ts';
import { handOn, takeAgentRun } from './sharing.ts';
import { templateFor } from './templates.ts';
import { takeLeft } from './workplace.ts';

/** What one agent run needs of the world. */
export async function agentPorts(given: TaskDriving, id: string, state: AgentRunState): Promise<AgentPorts> {
  const repository = state.begun?.given.repository.path ?? state.place.workspace;
  const trusted = isTrusted(given.places, repository);
  const worktrees = worktreesOf(given);
  return {
    admit: (now) => admit(given, id, now),
    prepare: worktrees.prepare,
    // What commands print is kept, shown and told to a model: without secrets, like the output of a step.
    async check(now, commands, signal) {
      const hidden = given.filter();
      const results = await worktrees.check(now, commands, signal);
      return results.map((result) => ({ ...result, tail: hidden.text(result.tail) }));
    },
    changes: worktrees.changes,
    // A driver that was killed leaves its set-up or validation running: not in a worktree that others may have.
    async release(now) {
      await endMarked({ run: id, epoch: now.epoch });
      const released = await handOn(given, id, now);
      await worktrees.release(now);
      return released;
    },
    take: (now, signal) => takeAgentRun(given, now, signal),
    async template({ begun }) {
      if (begun === null) return { text: null, warning: null };
      const { settings } = (await given.streams().state(begun.project)) as ProjectState;
      return templateFor({ mode: begun.mode, project: repository, settings, trusted });
    },
    perform: (work, hooks) =>
      performAgent(given, work, hooks, (message) => commitLeft(state, message, { env: given.env })),
    async endLeftovers(now) {
      const { session, attempts, epoch } = now;
      await endMarked({ run: id, epoch });
      const { groups = [], n = 0 } = attempts.at(-1) ?? {};
      const isConversation = session !== null && (await given.streams().kindOf(session)) === 'chat';
      if (isConversation) await endConversation(given, session, `left:${id}:${n}`);
      const graceMs = given.config['kill-grace'] * 1000;
      await Promise.all(groups.map((group) => endGroup(group, { run: id, graceMs })));
      await takeLeft(given, now);
      if (groups.length > 0) return 'what was left of it was ended';
      return isConversation ? 'its conversation was stopped' : 'nothing was left of it';
    },
    async decided(approvalId, signal) {
      const streams = given.streams();
      while (!signal.aborted) {
        const { state: now, seq } = await streams.folded(id);
        const found = (now as AgentRunState).approvals.find((one) => one.id === approvalId);
        if (found !== undefined && found.status !== 'needed')
          return { granted: found.status === 'granted', reason: found.reason };
        await streams.changed(id, seq, signal);
      }
      return { granted: false, reason: null };
    },
  };
}
