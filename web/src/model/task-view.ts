import {
  type AgentMode,
  activePhase,
  statusOf,
  type TaskComment,
  type TaskState,
  type TaskView,
  type TaskWay,
} from '@tasks';
import type { TaskTab } from '../addresses.ts';

/** What somebody who opens a task wants to see first: what is done now, else what has to be decided on. */
export function tabOf(state: Pick<TaskState, 'phases' | 'plan' | 'branch' | 'status' | 'pipeline'>): TaskTab {
  if (activePhase(state) !== undefined) return 'work';
  const last = state.phases.at(-1);
  if (last === undefined) return 'plan';
  if (last.status !== 'done') return 'work';
  const isAboutBranch =
    last.mode === 'implement' || last.mode === 'request_changes' || last.mode === 'review';
  return isAboutBranch && state.branch !== null ? 'changes' : 'plan';
}

/** The way that puts an agent to work in this mode, where one leads on from here. */
export const wayInto = ({ ways, state }: TaskView, mode: AgentMode): TaskWay | undefined =>
  ways.find(({ to }) => state.pipeline !== null && statusOf(state.pipeline, to)?.mode === mode);

/** Ways that lead on, and that this kind of task may take, those that end it last. None while an agent is at it. */
export function waysShown({ ways, state }: TaskView): TaskWay[] {
  if (activePhase(state) !== undefined || state.pipeline === null) return [];
  const { pipeline } = state;
  const isEnd = ({ to }: TaskWay) => statusOf(pipeline, to)?.kind === 'ended';
  // A way for the other kind of task is none that this one is ever let through.
  const foreign = state.text.kind === 'bug' ? 'is-feature' : 'is-bug';
  const isMeant = ({ title }: TaskWay) =>
    !pipeline.transitions.some(
      ({ from, trigger, guards }) =>
        trigger.type === 'manual' &&
        trigger.title === title &&
        from.includes(state.status) &&
        guards.includes(foreign),
    );
  const meant = ways.filter(isMeant);
  return [...meant.filter((way) => !isEnd(way)), ...meant.filter(isEnd)];
}

/** Comments of one place, the oldest first. */
export const commentsAt = (
  comments: readonly TaskComment[],
  on: TaskComment['on'],
  file: string | null,
  line: number | null,
): TaskComment[] => comments.filter((one) => one.on === on && one.file === file && one.line === line);

/** Comments that no agent has been told of yet. */
export const untold = (comments: readonly TaskComment[], on: TaskComment['on']): TaskComment[] =>
  comments.filter((one) => one.on === on && !one.told);
