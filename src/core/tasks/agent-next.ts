import { isSameHost, type Pending } from '../contract/index.ts';
import {
  type AgentAttempt,
  type AgentFact,
  type AgentRequest,
  type AgentRunState,
  agentModes,
  type CheckResult,
} from '../contract/tasks/index.ts';
import type { Attention, Effect, RestReason } from '../stream/index.ts';

export type AgentWorkKind =
  | { kind: 'admit'; state: AgentRunState }
  | { kind: 'prepare'; state: AgentRunState }
  | { kind: 'setup'; state: AgentRunState }
  | { kind: 'prompt'; state: AgentRunState }
  | { kind: 'agent'; state: AgentRunState; attempt: number; errors: string | null }
  | { kind: 'leftovers'; state: AgentRunState; attempt: number }
  | { kind: 'validate'; state: AgentRunState; attempt: number }
  | { kind: 'changes'; state: AgentRunState }
  | { kind: 'release'; state: AgentRunState }
  | { kind: 'take'; state: AgentRunState };
export type AgentEffect = Effect<AgentFact, AgentWorkKind>;

const record = (...facts: AgentFact[]): AgentEffect => ({ kind: 'record', facts });
const look = (work: AgentWorkKind): AgentEffect => ({ kind: 'perform', intent: [], work });
const rest = (why: RestReason, wakeAt: number | null = null): AgentEffect => ({ kind: 'rest', why, wakeAt });

/**
 * What an agent run does now. Pure.
 *
 *   an agent in flight ──▶ nobody's any more: end what is left of it; it was interrupted
 *   request waiting ─────▶ answer it
 *   not admitted ────────▶ see whether it is its turn │ rest until it may be
 *   no worktree ─────────▶ prepare it: make it or reuse it, keep what is uncommitted, clean, rebase, lock
 *   a new one ───────────▶ set it up
 *   no prompt ───────────▶ build it
 *   not performed ───────▶ the agent; again with the errors, where what it left did not pass
 *   left something ──────▶ validate │ count what the branch has
 *   otherwise ───────────▶ let go of the worktree, end
 *
 *   work, and the driver is on another host ──▶ rest │ take it up, where it may be
 */
export function agentNext(state: AgentRunState, now: number): AgentEffect {
  const effect = decide(state, now);
  const { driver, place } = state;
  const isElsewhere = driver !== null && !isSameHost(driver.host, place.host);
  if (effect.kind !== 'perform' || !isElsewhere) return effect;
  const mayTake = state.mayTake && state.begun?.given.repository.gitSource !== undefined;
  return mayTake ? look({ kind: 'take', state }) : rest('elsewhere');
}

function decide(state: AgentRunState, now: number): AgentEffect {
  const { begun, worktree, attempts } = state;
  if (begun === null || state.unreadable.length > 0) return rest('unreadable');
  const last = attempts.at(-1);
  if (last?.status === 'running') return look({ kind: 'leftovers', state, attempt: last.n });
  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending);
  if (state.ended !== null) return rest('finished');
  if (state.worktreeFailure !== null || state.stoppedBy !== null) return finish(state);
  if (!state.isAdmitted) {
    const until = state.queued?.until ?? 0;
    return until > now ? rest('later', until) : look({ kind: 'admit', state });
  }
  if (worktree === null)
    return {
      kind: 'perform',
      intent: state.wantsWorktree ? [] : [{ type: 'worktree-wanted' }],
      work: { kind: 'prepare', state },
    };
  const { setupCommands, validationCommands, maxValidationRetries } = begun.given;
  if (worktree.isNew && setupCommands.length > 0 && state.setup === null)
    return look({ kind: 'setup', state });
  if (state.setup?.ok === false) return finish(state);
  if (state.prompt === null) return look({ kind: 'prompt', state });
  if (last === undefined) return perform(state, 1, null);
  const { changes } = agentModes[begun.mode];
  const endedWell = last.end?.exitCode === 0 && last.end.outcome === agentModes[begun.mode].outcome;
  if (!endedWell || !changes) return finish(state);
  if (validationCommands.length > 0 && last.validation === null)
    return {
      kind: 'perform',
      intent: [{ type: 'validation-started', attempt: last.n }],
      work: { kind: 'validate', state, attempt: last.n },
    };
  if (last.validation?.ok === false && last.n <= maxValidationRetries)
    return perform(state, last.n + 1, errorsOf(last.validation.results));
  return finish(state);
}

function perform(state: AgentRunState, attempt: number, errors: string | null): AgentEffect {
  return {
    kind: 'perform',
    intent: [{ type: 'agent-started', attempt, errors }],
    work: { kind: 'agent', state, attempt, errors },
  };
}

function finish(state: AgentRunState): AgentEffect {
  const { worktree, worktreeFailure, wantsWorktree, changes, isReleased, attempts } = state;
  // Whatever it was to do and however it ended: what it moved and was not its own is put back.
  if (worktree !== null && worktreeFailure === null && attempts.length > 0 && changes === null)
    return look({ kind: 'changes', state });
  // What was locked elsewhere is let go of there.
  if (wantsWorktree && !isReleased && worktreeFailure?.code !== 'source-failed')
    return { kind: 'perform', intent: [{ type: 'release-started' }], work: { kind: 'release', state } };
  return record(endOf(state));
}

/** What the run came to, with what it had no business with. */
export function endOf(state: AgentRunState): AgentEnded {
  const end = cameTo(state);
  const { foreign = [] } = state.changes ?? {};
  if (foreign.length === 0) return end;
  const moved = `it moved ${foreign.join(', ')}, not its own: put back`;
  return { ...end, message: end.message === null ? moved : `${end.message}; ${moved}` };
}

type AgentEnded = AgentFact & { type: 'agent-run-ended' };

function cameTo(state: AgentRunState): AgentEnded {
  const failed = (outcome: string, message: string | null, exitCode = 1) =>
    ({ type: 'agent-run-ended', status: 'failed', outcome, payload: {}, exitCode, message }) as const;
  const { begun, attempts, worktreeFailure, setup, changes, stoppedBy } = state;
  const last = attempts.at(-1);
  if (worktreeFailure !== null) return failed('failed', worktreeFailure.message);
  if (setup?.ok === false) return failed('failed', `setting up failed: ${failingOf(setup.results)}`);
  if (stoppedBy !== null && last?.status !== 'finished')
    return { ...failed('stopped', 'it was stopped'), status: 'stopped' };
  if (last?.status === 'interrupted') return failed('interrupted', 'the process that drove it was gone');
  const end = last?.end;
  if (begun === null || last === undefined || end == null) return failed('failed', 'it never began');
  const { payload, exitCode, message } = end;
  if (end.why === 'stopped')
    return { ...failed('stopped', message ?? 'it was stopped', exitCode), status: 'stopped', payload };
  if (exitCode !== 0) return { ...failed('failed', message, exitCode), payload };
  if (last.validation?.ok === false) {
    const why = `what it left does not pass: ${failingOf(last.validation.results)}`;
    return { ...failed('validation_failed', why), payload };
  }
  const { outcome } = end;
  const isEmpty = outcome === 'pr_ready' && changes !== null && changes.commits === 0;
  return {
    type: 'agent-run-ended',
    status: 'done',
    outcome: isEmpty ? 'no_changes' : outcome,
    payload,
    exitCode,
    message: isEmpty ? 'it left nothing on its branch' : message,
  };
}

const failingOf = (results: readonly CheckResult[]): string => {
  const failing = results.find(({ exitCode }) => exitCode !== 0);
  return failing === undefined ? 'nothing' : failing.command;
};

/** What did not pass, as the agent is told it. */
const errorsOf = (results: readonly CheckResult[]): string =>
  results
    .filter(({ exitCode }) => exitCode !== 0)
    .map(({ command, exitCode, tail }) => `$ ${command}\n(exit code ${exitCode ?? 'none'})\n${tail}`)
    .join('\n\n');

function answer(state: AgentRunState, { seq: answers, request }: Pending<AgentRequest>): AgentEffect {
  return record(...answerTo(state, request, answers));
}

function answerTo(state: AgentRunState, request: AgentRequest, answers: number): AgentFact[] {
  const refuse = (code: string, message: string): AgentFact[] => [
    { type: 'request-refused', answers, code, message },
  ];
  if (state.ended !== null) return refuse('ended', 'the agent has ended');
  switch (request.type) {
    case 'stop-requested':
      if (state.stoppedBy !== null) return refuse('stopping', 'it is being stopped already');
      return [{ type: 'stop-noted', by: request.by, answers }];
    case 'approval-decided': {
      const { approvalId, decision, reason } = request;
      const open = state.approvals.find(({ id, status }) => id === approvalId && status === 'needed');
      if (open === undefined) return refuse('no-such-approval', 'nobody waits for this decision');
      if (decision === 'approve') return [{ type: 'approval-granted', approvalId, answers }];
      return [{ type: 'approval-denied', approvalId, ...(reason === undefined ? {} : { reason }), answers }];
    }
  }
}

/**
 * What becomes of work that is under way. Pure.
 *
 *   a decision for the agent ▶ written down, which it waits for
 *   agent, set-up, validation ▶ a stop ends it; the agent's time ends it too
 *   all else                  ▶ is brought to its end
 */
export function agentAttend(state: AgentRunState, work: AgentWorkKind, now: number): Attention<AgentFact> {
  const canStop = work.kind === 'agent' || work.kind === 'setup' || work.kind === 'validate';
  const pending = state.inbox[0];
  const isStop = pending?.request.type === 'stop-requested';
  if (pending !== undefined && (canStop || !isStop))
    return { kind: 'record', facts: answerTo(state, pending.request, pending.seq) };
  if (canStop && state.stoppedBy !== null) return { kind: 'abort', why: 'cancelled' };
  if (work.kind !== 'agent') return { kind: 'await', until: null };
  // Whoever decides may take their time.
  const until = state.asksSince === null ? deadlineOf(state, state.attempts.at(-1)) : null;
  if (until !== null && now >= until) return { kind: 'abort', why: 'timeout' };
  return { kind: 'await', until };
}

const deadlineOf = ({ begun }: AgentRunState, attempt: AgentAttempt | undefined): number | null =>
  begun === null || attempt === undefined
    ? null
    : attempt.startedAt + attempt.waitedMs + begun.given.limits.timeMs;
