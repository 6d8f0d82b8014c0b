import type { Subject } from '../approval.ts';
import type { ProcessGroup } from '../result.ts';
import type { Actor } from '../stream/actor.ts';
import { type Approval, decide, withdraw } from '../stream/approvals.ts';
import type { Place } from '../stream/place.ts';
import {
  callFinished,
  callStarted,
  callsInterrupted,
  noSpending,
  type Spending,
} from '../stream/spending.ts';
import { evolveStream, freshStream, type StreamState } from '../stream/state.ts';
import {
  type AgentEvent,
  type AgentEventOf,
  type AgentFactEvent,
  type AgentRequest,
  type CheckResult,
  isAgentRequest,
  isKnownAgentEvent,
  type StoredAgentEvent,
} from './agent-facts.ts';

/**
 * One performance of the agent; another follows where what it left did not pass.
 *
 *   agent-started ──▶ running ──agent-finished──▶ finished ──validation-finished──▶ passed │ failed
 *                        └──agent-interrupted──▶ interrupted
 */
export interface AgentAttempt {
  n: number;
  errors: string | null;
  status: 'running' | 'finished' | 'interrupted';
  epoch: number;
  startedAt: number;
  /** Of the agent, and of what was run for it. */
  groups: readonly ProcessGroup[];
  /** Time that people took to decide is not the agent's. */
  waitedMs: number;
  end: AgentEventOf<'agent-finished'> | null;
  validation: { ok: boolean; results: readonly CheckResult[] } | null;
}

/**
 * One run of a coding agent for a task.
 *
 *   begun ─▶ admitted ─▶ worktree ─▶ set up ─▶ prompt ─▶ agent ─▶ validation ─▶ changes ─▶ released ─▶ ended
 *                                              ▲           │
 *                                              └── errors ─┘  so often as the project says
 */
export interface AgentRunState extends StreamState<AgentRequest> {
  begun: AgentEventOf<'agent-run-begun'> | null;
  place: Place;
  /** Whoever drives it may take it up, though it lives elsewhere. */
  mayTake: boolean;
  /** What it left uncommitted, for whoever goes on elsewhere. */
  left: { parcel: string; commit: string } | null;
  worktree: Omit<AgentEventOf<'worktree-prepared'>, 'v' | 'type' | 'at'> | null;
  queued: { until: number; why: string } | null;
  isAdmitted: boolean;
  /** One may have been made and locked, whether or not anybody came to say so. */
  wantsWorktree: boolean;
  worktreeFailure: { code: string; message: string } | null;
  setup: { ok: boolean; results: readonly CheckResult[] } | null;
  prompt: { text: string; from: 'template' | 'built-in'; warning: string | null } | null;
  attempts: readonly AgentAttempt[];
  session: string | null;
  approvals: readonly Approval<Subject>[];
  /** Somebody has been waited for since; null where nobody is. */
  asksSince: number | null;
  /** What was not safe and the agent wanted to do, and what became of it: the last of them. */
  calls: readonly Omit<AgentEventOf<'call-decided'>, 'v' | 'type' | 'at' | 'attempt'>[];
  changes: { commits: number; files: number; foreign: readonly string[]; head: string | null } | null;
  isReleased: boolean;
  stoppedBy: Actor | null;
  ended: AgentEventOf<'agent-run-ended'> | null;
  spending: Spending;
  /** As the agents themselves say, on top of what Planwright's own calls cost. */
  costUsd: number;
  tokens: number;
  notes: readonly string[];
  createdAt: number;
}

export const initialAgentState: AgentRunState = {
  ...freshStream,
  begun: null,
  place: { host: '', boot: '', workspace: '' },
  mayTake: false,
  left: null,
  worktree: null,
  queued: null,
  isAdmitted: false,
  wantsWorktree: false,
  worktreeFailure: null,
  setup: null,
  prompt: null,
  attempts: [],
  session: null,
  approvals: [],
  asksSince: null,
  calls: [],
  changes: null,
  isReleased: false,
  stoppedBy: null,
  ended: null,
  spending: noSpending,
  costUsd: 0,
  tokens: 0,
  notes: [],
  createdAt: 0,
};

/** The agent run after one more event. Total: what does not fit changes nothing. */
export const evolveAgent = (
  state: AgentRunState,
  stored: Pick<StoredAgentEvent, 'seq' | 'event'>,
): AgentRunState =>
  evolveStream<AgentRunState, AgentEvent, AgentRequest>(state, stored, {
    isKnown: isKnownAgentEvent,
    isRequest: isAgentRequest,
    apply,
  });

const MOST_NOTES = 200;

function apply(state: AgentRunState, event: AgentFactEvent): AgentRunState {
  switch (event.type) {
    case 'agent-run-begun':
      return {
        ...state,
        begun: event,
        place: event.place,
        session: event.session ?? null,
        createdAt: event.at,
      };
    case 'driver-claimed': {
      const { epoch, driver, takes } = event;
      return { ...state, epoch, driver, mayTake: takes === true, spending: callsInterrupted(state.spending) };
    }
    case 'place-taken':
      return placeTaken(state, event.place);
    case 'agent-queued':
      return { ...state, queued: { until: event.until, why: event.why } };
    case 'agent-admitted':
      return { ...state, queued: null, isAdmitted: true };
    case 'worktree-wanted':
      return { ...state, wantsWorktree: true };
    case 'worktree-prepared': {
      const { path, branch, base, head, isNew, rescued, warnings } = event;
      return { ...state, worktree: { path, branch, base, head, isNew, rescued, warnings } };
    }
    case 'worktree-failed':
      return { ...state, worktreeFailure: { code: event.code, message: event.message } };
    case 'setup-finished':
      return { ...state, setup: { ok: event.ok, results: event.results } };
    case 'prompt-built':
      return { ...state, prompt: { text: event.text, from: event.from, warning: event.warning } };
    case 'agent-started': {
      const { attempt: n, errors } = event;
      const attempt = { n, errors, status: 'running' as const, epoch: state.epoch, startedAt: event.at };
      return {
        ...state,
        attempts: [...state.attempts, { ...attempt, groups: [], waitedMs: 0, end: null, validation: null }],
      };
    }
    case 'process-spawned':
      return inAttempt(state, event.attempt, {
        groups: [...(state.attempts.find(({ n }) => n === event.attempt)?.groups ?? []), event.group],
      });
    case 'session-named':
      return { ...state, session: event.session };
    case 'agent-noted':
      return { ...state, notes: [...state.notes, event.text].slice(-MOST_NOTES) };
    case 'model-call-started':
      return { ...state, spending: callStarted(state.spending, event) };
    case 'model-call-finished':
      return { ...state, spending: callFinished(state.spending, event) };
    case 'model-fell-back':
      return state;
    case 'approval-needed': {
      const { approvalId: id, verdict, subject, fingerprint } = event;
      const asked = {
        id,
        verdict,
        subject,
        fingerprint,
        status: 'needed' as const,
        warning: null,
        reason: null,
      };
      return { ...state, approvals: [...state.approvals, asked], asksSince: state.asksSince ?? event.at };
    }
    case 'approval-granted':
      return decidedAt(event.at, {
        ...state,
        approvals: decide(state.approvals, event.approvalId, 'granted', null),
      });
    case 'approval-denied':
      return decidedAt(event.at, {
        ...state,
        approvals: decide(state.approvals, event.approvalId, 'denied', event.reason ?? null),
      });
    case 'call-decided': {
      const { title, level, allowed, why } = event;
      return { ...state, calls: [...state.calls, { title, level, allowed, why }].slice(-MOST_NOTES) };
    }
    case 'agent-finished':
      return {
        ...inAttempt(state, event.attempt, { status: 'finished', end: event }),
        approvals: withdraw(state.approvals),
        asksSince: null,
        costUsd: state.costUsd + event.costUsd,
        tokens: state.tokens + event.tokens,
      };
    case 'agent-interrupted':
      return {
        ...inAttempt(state, event.attempt, { status: 'interrupted' }),
        approvals: withdraw(state.approvals),
        asksSince: null,
      };
    case 'validation-finished':
      return inAttempt(state, event.attempt, { validation: { ok: event.ok, results: event.results } });
    case 'changes-found': {
      const { commits, files, foreign, head = null } = event;
      return { ...state, changes: { commits, files, foreign, head } };
    }
    case 'worktree-released':
      return { ...state, isReleased: true, left: event.left ?? null };
    case 'agent-run-ended':
      return { ...state, ended: event };
    case 'stop-noted':
      return { ...state, stoppedBy: event.by };
    case 'validation-started':
    case 'release-started':
    case 'request-refused':
    case 'refused-at-door':
      return state;
  }
}

/** The worktree that it had is on the other machine, and locked there for nobody. */
const placeTaken = (state: AgentRunState, place: Place): AgentRunState => ({
  ...state,
  place,
  mayTake: false,
  worktree: null,
  wantsWorktree: false,
  begun: state.begun && {
    ...state.begun,
    given: {
      ...state.begun.given,
      repository: { ...state.begun.given.repository, path: place.workspace, remote: 'origin' },
    },
  },
});

/** When nothing is left to decide, the time that it took is not the agent's. */
function decidedAt(at: number, state: AgentRunState): AgentRunState {
  const { asksSince, approvals } = state;
  const last = state.attempts.at(-1);
  if (asksSince === null || last === undefined || approvals.some(({ status }) => status === 'needed'))
    return state;
  const waitedMs = last.waitedMs + Math.max(0, at - asksSince);
  return { ...inAttempt(state, last.n, { waitedMs }), asksSince: null };
}

const inAttempt = (state: AgentRunState, n: number, change: Partial<AgentAttempt>): AgentRunState => ({
  ...state,
  attempts: state.attempts.map((attempt) => (attempt.n === n ? { ...attempt, ...change } : attempt)),
});
