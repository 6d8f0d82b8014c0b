import type { Actor } from '../contract/index.ts';
import { isSameHost, type Pending } from '../contract/index.ts';
import {
  type AgentMode,
  activePhase,
  agentRunId,
  type MergeHow,
  statusNow,
  type TaskFact,
  type TaskRequest,
  type TaskState,
} from '../contract/tasks/index.ts';
import { type Attention, awaitChild, type ChildWork, type Effect, type RestReason } from '../stream/index.ts';
import { agentEvents, entryOf } from './brief.ts';
import { systemTransition, tryOutcomeTransition, waysOn } from './ways.ts';

export type TaskWork =
  | {
      kind: 'move';
      state: TaskState;
      to: string;
      answers: number;
      request: TaskRequest & { type: 'move-requested' };
    }
  | { kind: 'begin'; state: TaskState; mode: AgentMode }
  | { kind: 'results'; state: TaskState; run: string }
  | { kind: 'merge'; state: TaskState; how: MergeHow }
  | { kind: 'take'; state: TaskState }
  | (ChildWork & { by: Actor });
export type TaskEffect = Effect<TaskFact, TaskWork>;

const record = (...facts: TaskFact[]): TaskEffect => ({ kind: 'record', facts });
const look = (work: TaskWork): TaskEffect => ({ kind: 'perform', intent: [], work });
const rest = (why: RestReason): TaskEffect => ({ kind: 'rest', why, wakeAt: null });

const nobody: Actor = { person: 'the task', door: 'worker' };

/**
 * What a task does now. Pure.
 *
 *   a merge in flight ───▶ merge: done twice it is done once; then the task is merged, whatever was asked meanwhile
 *   request waiting ─────▶ answer it
 *   its agent is open ───▶ begin it │ tell it to stop │ rest until it has ended │ look what it came to
 *   a phase has ended ───▶ keep what it said in short; move on by its outcome, or say that nothing is known about it
 *   an agent's status ───▶ begin a phase
 *   otherwise ───────────▶ rest for a person
 */
export function taskNext(state: TaskState): TaskEffect {
  const effect = decide(state);
  const { driver, place } = state;
  const isElsewhere = driver !== null && !isSameHost(driver.host, place.host);
  if (effect.kind !== 'perform' || !isElsewhere) return effect;
  const mayTake = state.mayTake && state.created?.gitSource !== undefined;
  return mayTake ? look({ kind: 'take', state }) : rest('elsewhere');
}

function decide(state: TaskState): TaskEffect {
  if (state.created === null || state.unreadable.length > 0) return rest('unreadable');
  if (state.merging !== null) return look({ kind: 'merge', state, how: state.merging.how });
  // What is merged says so before anything else can become of it.
  if (state.merged !== null && systemTransition(state, 'merged') !== null) return merged(state);
  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending);
  const active = activePhase(state);
  if (active !== undefined) return withAgent(state, active);
  const status = statusNow(state);
  if (status?.kind === 'ended') return rest('finished');
  if (status?.mode === undefined) return rest('waiting');
  if (state.isFresh) return look({ kind: 'begin', state, mode: status.mode });
  return afterPhase(state);
}

function withAgent(state: TaskState, active: NonNullable<ReturnType<typeof activePhase>>): TaskEffect {
  const { stoppedBy } = state;
  const waits = awaitChild(state.children, stoppedBy !== null, () => agentEvents(state, active));
  if (waits === null) return look({ kind: 'results', state, run: active.run });
  if (waits.kind !== 'perform') return waits as TaskEffect;
  return { ...waits, work: { ...waits.work, by: stoppedBy ?? nobody } };
}

/** The phase that has just ended decides where the task goes. */
function afterPhase(state: TaskState): TaskEffect {
  const last = state.phases.at(-1);
  if (last === undefined || last.outcome === null || state.unknownOutcome !== null) return rest('waiting');
  const { outcome, run } = last;
  const to = tryOutcomeTransition(state, outcome);
  if (to === null) return record({ type: 'outcome-unknown', status: state.status, outcome, run });
  return record({ type: 'moved', from: state.status, to, why: { type: 'agent', outcome, run } });
}

function merged(state: TaskState): TaskEffect {
  const to = systemTransition(state, 'merged');
  if (to === null) return rest('waiting');
  return record({ type: 'moved', from: state.status, to, why: { type: 'system', event: 'merged' } });
}

/** Answers a request, by the fact that makes it so or by a refusal. */
function answer(state: TaskState, { seq: answers, request }: Pending<TaskRequest>): TaskEffect {
  const refuse = (code: string, message: string): TaskEffect =>
    record({ type: 'request-refused', answers, code, message });
  const { by } = request;
  const status = statusNow(state);
  const isOver = status?.kind === 'ended';
  if (isOver && request.type !== 'close-requested')
    return refuse('ended', `the task is ${status.title.toLowerCase()}: nothing more is done about it`);
  switch (request.type) {
    case 'move-requested':
      if (activePhase(state) !== undefined)
        return refuse('agent-at-work', 'an agent is at it: stop it first');
      return move(state, request, answers) ?? refuse('no-such-way', noWay(state, request.to));
    case 'stop-requested':
      if (activePhase(state) === undefined || state.stoppedBy !== null)
        return refuse('nothing-to-stop', 'no agent is at it');
      return record({ type: 'stop-noted', by, answers });
    case 'answer-given':
      return answered(state, request.text, by, answers) ?? refuse('no-such-question', 'it has asked nothing');
    case 'comment-requested': {
      const { on, line, file, text } = request;
      if (on === 'plan' && state.plan === null)
        return refuse('no-plan', 'there is no plan to comment on yet');
      if (on === 'branch' && state.branch === null) return refuse('no-branch', 'it has no branch yet');
      const comment = state.comments.length + 1;
      const where = { ...(line === undefined ? {} : { line }), ...(file === undefined ? {} : { file }) };
      return record({ type: 'commented', comment, on, ...where, text, by, answers });
    }
    case 'edit-requested':
      return record({ type: 'task-edited', text: request.text, answers });
    case 'subtask-requested':
      if (request.index >= state.subtasks.length)
        return refuse('no-such-subtask', 'there is no such subtask');
      return record({ type: 'subtask-set', index: request.index, done: request.done, answers });
    case 'merge-requested':
      if (systemTransition(state, 'merged') === null)
        return refuse('not-ready', `a task that is ${status?.title.toLowerCase()} is not merged`);
      if (request.how === 'pull-request' && request.to === undefined)
        return refuse('no-address', 'a push is agreed on together with the address that it goes to');
      return record({
        ...{ type: 'merge-started', how: request.how, by, answers },
        ...(request.to === undefined ? {} : { to: request.to }),
      });
    case 'close-requested':
      return close(state, by, answers) ?? refuse('ended', 'it is over already');
  }
}

const noWay = (state: TaskState, to: string): string => {
  const ways = waysOn(state).map((way) => way.to);
  return ways.length === 0
    ? `nothing leads to ${to} from ${state.status}`
    : `nothing leads to ${to} from ${state.status}: there is ${ways.join(', ')}`;
};

function move(
  state: TaskState,
  request: TaskRequest & { type: 'move-requested' },
  answers: number,
): TaskEffect | null {
  const ways = waysOn(state).filter(({ to }) => to === request.to);
  const way = ways.find(({ against }) => against === null) ?? ways[0];
  if (way === undefined) return null;
  if (way.against !== null)
    return record({ type: 'request-refused', answers, code: 'guarded', message: way.against });
  const { dependencies } = state.text;
  return way.needsDependencies && dependencies.length > 0
    ? look({ kind: 'move', state, to: way.to, answers, request })
    : record(movedBy(state, request, way.to, answers));
}

export const movedBy = (
  { status }: TaskState,
  { by, reason, agent }: TaskRequest & { type: 'move-requested' },
  to: string,
  answers: number,
): TaskFact => ({
  type: 'moved',
  from: status,
  to,
  why: { type: 'manual', by, ...(reason === undefined ? {} : { reason }) },
  ...(agent === undefined ? {} : { agent }),
  answers,
});

function answered(state: TaskState, text: string, by: Actor, answers: number): TaskEffect | null {
  if (state.question === null) return null;
  const to = systemTransition(state, 'answered');
  const fact: TaskFact = { type: 'question-answered', text, by, answers };
  if (to === null) return record(fact);
  return record(fact, { type: 'moved', from: state.status, to, why: { type: 'system', event: 'answered' } });
}

/** Whoever waits for it to end is a person: an agent that is at it is ended first, and the request is answered after that. */
function close(state: TaskState, by: Actor, answers: number): TaskEffect | null {
  const active = activePhase(state);
  if (active !== undefined && state.stoppedBy === null) return record({ type: 'stop-noted', by });
  if (active !== undefined) return withAgent(state, active);
  if (statusNow(state)?.kind === 'ended') return null;
  const { statuses = [], transitions = [] } = state.pipeline ?? {};
  // Where merging leads is no place for what nobody has merged.
  const isMerged = (name: string) =>
    transitions.some(
      ({ to, trigger }) => to === name && trigger.type === 'system' && trigger.event === 'merged',
    );
  const ends = statuses.filter(({ kind, name }) => kind === 'ended' && !isMerged(name));
  const end = ends.find(({ name }) => name === 'closed') ?? ends[0];
  if (end === undefined) {
    const message =
      'its pipeline has no end but being merged: give it a status of the kind ended for what is closed';
    return record({ type: 'request-refused', answers, code: 'no-end', message });
  }
  return record({ type: 'moved', from: state.status, to: end.name, why: { type: 'manual', by }, answers });
}

/** Nothing of a task's own work is worth ending. */
export const taskAttend = (): Attention<TaskFact> => ({ kind: 'await', until: null });

/** What a phase came to, with what is kept of it. */
export function phaseFacts(
  state: TaskState,
  ended: TaskFact & { type: 'phase-ended' },
  now: number,
): TaskFact[] {
  const phase = state.phases.find(({ n }) => n === ended.phase);
  if (phase === undefined) return [];
  const { outcome, payload } = ended;
  const entry = ended.status === 'done' ? entryOf({ ...phase, outcome, payload, endedAt: now }) : null;
  return [ended, ...(entry === null ? [] : [{ type: 'context-added' as const, entry }])];
}

export const nextRun = ({ task, phases }: TaskState): { phase: number; run: string } => {
  const phase = phases.length + 1;
  return { phase, run: agentRunId(task, phase) };
};
