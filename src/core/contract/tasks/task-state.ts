import type { Actor } from '../stream/actor.ts';
import { type ChildState, isChildFact, withChild } from '../stream/child.ts';
import type { Place } from '../stream/place.ts';
import { evolveStream, freshStream, type StreamState } from '../stream/state.ts';
import type { AgentGiven } from './given.ts';
import type { AgentMode, AgentPayload, TaskContextEntry } from './modes.ts';
import { type Pipeline, statusOf, type TaskStatus } from './pipeline.ts';
import {
  isKnownTaskEvent,
  isTaskRequest,
  type MergeHow,
  type StoredTaskEvent,
  type TaskEvent,
  type TaskEventOf,
  type TaskFactEvent,
  type TaskRequest,
  type TaskText,
} from './task-facts.ts';

/**
 * One stay of a task in one mode.
 *
 *   phase-begun ──▶ active ──phase-ended──▶ done │ failed │ stopped
 */
export interface Phase {
  n: number;
  mode: AgentMode;
  agent: string;
  run: string;
  given: AgentGiven;
  status: 'active' | 'done' | 'failed' | 'stopped';
  outcome: string | null;
  payload: AgentPayload | null;
  message: string | null;
  session: string | null;
  /** What it goes on from. */
  resumes: string | null;
  startedAt: number;
  endedAt: number | null;
  costUsd: number;
}

export interface TaskComment {
  n: number;
  on: 'plan' | 'branch';
  line: number | null;
  file: string | null;
  text: string;
  by: Actor;
  at: number;
  /** A phase that was begun since has been told of it. */
  told: boolean;
}

/** A task: where it is in its pipeline is `status`, and what came of each stay is in `phases`. */
export interface TaskState extends StreamState<TaskRequest> {
  created: TaskEventOf<'task-created'> | null;
  task: string;
  project: string;
  place: Place;
  /** Whoever drives it may take it up, though it lives elsewhere. */
  mayTake: boolean;
  text: TaskText;
  pipeline: Pipeline | null;
  status: string;
  /** The one before, for a way back; an agent's, where it was one. */
  previous: string;
  /** The status was entered and nothing has been done about it yet. */
  isFresh: boolean;
  /** The agent that whoever moved it here wants; null: the project's. */
  agent: string | null;
  plan: string | null;
  planSummary: string | null;
  subtasks: readonly { title: string; done: boolean }[];
  comments: readonly TaskComment[];
  /** What the last review that asked for changes said. */
  review: readonly string[];
  reviewRounds: number;
  question: { text: string; run: string } | null;
  answers: readonly { question: string; text: string }[];
  phases: readonly Phase[];
  context: readonly TaskContextEntry[];
  children: readonly ChildState[];
  branch: string | null;
  /** The commit of it that may be merged: what the last review looked at, or what the last agent left. */
  seen: string | null;
  worktree: string | null;
  rescued: readonly string[];
  stoppedBy: Actor | null;
  merging: { how: MergeHow; to: string | null; epoch: number } | null;
  merged: { commit: string; how: MergeHow } | null;
  pullRequest: { url: string; commit: string } | null;
  /** What the last try to merge came to, where it came to nothing. */
  mergeFailure: { code: string; message: string; conflicts: readonly string[] } | null;
  /** What an agent came to that the pipeline does not know. */
  unknownOutcome: string | null;
  costUsd: number;
  createdAt: number;
}

export const initialTaskState: TaskState = {
  ...freshStream,
  created: null,
  task: '',
  project: '',
  place: { host: '', boot: '', workspace: '' },
  mayTake: false,
  text: { title: '', description: '', kind: 'feature', priority: 'normal', dependencies: [] },
  pipeline: null,
  status: '',
  previous: '',
  isFresh: false,
  agent: null,
  plan: null,
  planSummary: null,
  subtasks: [],
  comments: [],
  review: [],
  reviewRounds: 0,
  question: null,
  answers: [],
  phases: [],
  context: [],
  children: [],
  branch: null,
  seen: null,
  worktree: null,
  rescued: [],
  stoppedBy: null,
  merging: null,
  merged: null,
  pullRequest: null,
  mergeFailure: null,
  unknownOutcome: null,
  costUsd: 0,
  createdAt: 0,
};

/** The task after one more event. Total: what does not fit changes nothing. */
export const evolveTask = (state: TaskState, stored: Pick<StoredTaskEvent, 'seq' | 'event'>): TaskState =>
  evolveStream<TaskState, TaskEvent, TaskRequest>(state, stored, {
    isKnown: isKnownTaskEvent,
    isRequest: isTaskRequest,
    apply,
  });

export const foldTask = (events: readonly StoredTaskEvent[]): TaskState =>
  events.reduce(evolveTask, initialTaskState);

function apply(state: TaskState, event: TaskFactEvent): TaskState {
  if (isChildFact(event)) return { ...state, children: withChild(state.children, event) };
  switch (event.type) {
    case 'task-created': {
      const { task, project, place, text, pipeline, at } = event;
      const { initial: status } = pipeline;
      return { ...state, created: event, task, project, place, text, pipeline, status, createdAt: at };
    }
    case 'driver-claimed':
      return { ...state, epoch: event.epoch, driver: event.driver, mayTake: event.takes === true };
    case 'place-taken':
      return { ...state, place: event.place, mayTake: false };
    case 'task-edited':
      return { ...state, text: event.text };
    case 'commented':
      return { ...state, comments: [...state.comments, commentOf(event)] };
    case 'moved':
      return moved(state, event);
    case 'stop-noted':
      return { ...state, stoppedBy: event.by };
    case 'outcome-unknown':
      return { ...state, unknownOutcome: event.outcome, isFresh: false };
    case 'phase-begun':
      return begunPhase(state, event);
    case 'phase-ended':
      return endedPhase(state, event);
    case 'context-added':
      return { ...state, context: [...state.context, event.entry] };
    case 'question-answered': {
      const question = state.question?.text ?? '';
      return { ...state, question: null, answers: [...state.answers, { question, text: event.text }] };
    }
    case 'subtask-set':
      return {
        ...state,
        subtasks: state.subtasks.map((one, at) => (at === event.index ? { ...one, done: event.done } : one)),
      };
    case 'merge-started':
      return {
        ...state,
        merging: { how: event.how, to: event.to ?? null, epoch: state.epoch },
        mergeFailure: null,
      };
    case 'merge-finished':
      return mergeEnded(state, event);
    case 'request-refused':
    case 'refused-at-door':
      return state;
  }
}

const commentOf = ({ comment, on, line, file, text, by, at }: TaskEventOf<'commented'>): TaskComment => ({
  n: comment,
  on,
  line: line ?? null,
  file: file ?? null,
  text,
  by,
  at,
  told: false,
});

function moved(state: TaskState, { from, to, agent }: TaskEventOf<'moved'>): TaskState {
  return {
    ...state,
    status: to,
    // A way back leads to the last place where an agent was at work.
    previous: isWorking(state, from) ? from : state.previous,
    isFresh: true,
    agent: agent ?? null,
    unknownOutcome: null,
  };
}

const isWorking = (state: TaskState, name: string): boolean => workAt(state, name) !== undefined;
const workAt = ({ pipeline }: TaskState, name: string): AgentMode | undefined =>
  pipeline === null ? undefined : statusOf(pipeline, name)?.mode;

function begunPhase(state: TaskState, event: TaskEventOf<'phase-begun'>): TaskState {
  const { phase: n, mode, agent, run, given, at } = event;
  const phase: Phase = {
    n,
    mode,
    agent,
    run,
    given,
    status: 'active',
    outcome: null,
    payload: null,
    message: null,
    session: null,
    resumes: event.session ?? null,
    startedAt: at,
    endedAt: null,
    costUsd: 0,
  };
  const on = mode === 'plan_revision' ? 'plan' : mode === 'request_changes' ? 'branch' : null;
  return {
    ...state,
    phases: [...state.phases, phase],
    isFresh: false,
    stoppedBy: null,
    comments: state.comments.map((one) => (one.on === on ? { ...one, told: true } : one)),
  };
}

function endedPhase(state: TaskState, event: TaskEventOf<'phase-ended'>): TaskState {
  const { phase, status, outcome, payload, message, session, at, costUsd } = event;
  const phases = state.phases.map((one) =>
    one.n === phase ? { ...one, status, outcome, payload, message, session, endedAt: at, costUsd } : one,
  );
  const wantsChanges = outcome === 'changes_requested';
  return {
    ...state,
    phases,
    plan: payload.plan ?? state.plan,
    planSummary: payload.planSummary ?? payload.investigationSummary ?? state.planSummary,
    subtasks: payload.subtasks?.map((title) => ({ title, done: false })) ?? state.subtasks,
    review: wantsChanges ? (payload.comments ?? []) : outcome === 'approved' ? [] : state.review,
    reviewRounds: state.reviewRounds + (wantsChanges ? 1 : 0),
    question:
      outcome === 'needs_info' ? { text: payload.question ?? message ?? '', run: event.run } : state.question,
    branch: event.branch ?? state.branch,
    seen: event.head ?? state.seen,
    worktree: event.worktree ?? state.worktree,
    rescued: [...state.rescued, ...event.rescued],
    costUsd: state.costUsd + costUsd,
    stoppedBy: null,
  };
}

function mergeEnded(state: TaskState, event: TaskEventOf<'merge-finished'>): TaskState {
  const { ok, commit, code, message, conflicts } = event;
  const { how = 'merge' } = state.merging ?? {};
  return {
    ...state,
    merging: null,
    merged: ok && commit !== null ? { commit, how } : state.merged,
    pullRequest: event.pullRequest ?? state.pullRequest,
    mergeFailure: ok ? null : { code: code ?? 'failed', message, conflicts },
  };
}

export const statusNow = ({ pipeline, status }: TaskState): TaskStatus | undefined =>
  pipeline === null ? undefined : statusOf(pipeline, status);

export const activePhase = ({ phases }: Pick<TaskState, 'phases'>): Phase | undefined =>
  phases.find(({ status }) => status === 'active');

/** What an agent run of a task is called. */
export const agentRunId = (task: string, phase: number): string => `${task}a${phase}`;
