import { type AgentMode, agentModes, type knownOutcomes } from '../tasks/modes.ts';
import type { Priority, TaskKind } from '../tasks/task-facts.ts';
import type { TaskRow } from '../tasks/task-row.ts';
import type { Phase, TaskState } from '../tasks/task-state.ts';
import type { Sentence } from './sentence.ts';
import { capital } from './text.ts';
import { duration } from './time.ts';

type KnownOutcome = (typeof knownOutcomes)[number];

const outcomes: Record<KnownOutcome, string> = {
  plan_complete: 'the plan is made',
  investigation_complete: 'the cause is reported',
  pr_ready: 'the work is done',
  no_changes: 'it changed nothing',
  approved: 'approved',
  changes_requested: 'changes are wanted',
  needs_info: 'it asks something',
  failed: 'it failed',
  interrupted: 'it was interrupted',
  stopped: 'it was stopped',
  validation_failed: 'what it left does not pass',
};

/** What an agent run came to. One that nobody knows is said as the agent said it. */
export const outcomeWords = (outcome: string): string =>
  outcomes[outcome as KnownOutcome] ?? `it ended in “${outcome}”`;

export const modeWords = (mode: AgentMode): string => agentModes[mode].title;
export const taskKindWords: Record<TaskKind, string> = { feature: 'feature', bug: 'bug' };
export const priorityWords: Record<Priority, string> = {
  urgent: 'urgent',
  high: 'high priority',
  normal: 'normal priority',
  low: 'low priority',
};

/** An agent is to work on it and has not begun: as many as may are at work. */
export const isQueued = ({ active, statusKind, wakeAt }: TaskRow): boolean =>
  active === null && statusKind === 'working' && wakeAt !== null;

/** Nothing goes on until a person has done something. */
export const needsPerson = ({ statusKind, goesOn, unanswered }: TaskRow): boolean =>
  statusKind === 'waiting' && !goesOn && unanswered.length === 0;

/** What goes on with a task, for whoever has its title and its status before them. */
export function taskSentence(row: TaskRow, now: number): Sentence {
  const { active, question, message, statusKind, undrivenSince } = row;
  if (undrivenSince !== undefined)
    return { text: 'Nobody drives it: planwright serve, or planwright worker, does', tone: 'wait' };
  if (active !== null)
    return {
      text: `${modeWords(active.mode)}: ${active.agent}, ${duration(now - active.since)}`,
      tone: 'mind',
    };
  if (statusKind === 'ended') return { text: '', tone: 'quiet' };
  if (row.unanswered.length > 0) return { text: 'Decided, not acted on yet', tone: 'quiet' };
  if (isQueued(row)) return { text: 'Waits for its turn: other agents are at work', tone: 'quiet' };
  if (statusKind === 'working') return { text: 'An agent is about to start', tone: 'mind' };
  if (question !== null) return { text: `Asks: ${question}`, tone: 'wait' };
  if (message !== null) return { text: capital(message), tone: 'fail' };
  if (statusKind === 'waiting') return { text: 'Waits for you', tone: 'wait' };
  return { text: '', tone: 'quiet' };
}

/** What a person who is needed is needed for, in a line: its question, or where it stands and why. */
export const taskAsks = ({ question, statusTitle, message }: TaskRow): string =>
  question ?? (message === null ? statusTitle : `${statusTitle}: ${message}`);

/** What a phase came to, or that it goes on. */
export function phaseSentence({ status, outcome, message }: Phase): Sentence {
  if (status === 'active') return { text: 'At work', tone: 'mind' };
  const came = capital(outcome === null ? status : outcomeWords(outcome));
  const text = message === null ? came : `${came}: ${message}`;
  if (status === 'failed') return { text, tone: 'fail' };
  if (status === 'stopped') return { text, tone: 'quiet' };
  return { text, tone: outcome === 'needs_info' || outcome === 'changes_requested' ? 'wait' : 'done' };
}

/** Why the last try to merge came to nothing, in a sentence. */
export const mergeWords = ({ message, conflicts }: NonNullable<TaskState['mergeFailure']>): string =>
  conflicts.length === 0
    ? `It was not merged: ${message}`
    : `It was not merged, and nothing is half done: ${message}`;
