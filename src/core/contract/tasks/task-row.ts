import { z } from 'zod';
import { isChildFact } from '../stream/child.ts';
import { StreamRow } from '../stream/row.ts';
import { cutTo } from './limits.ts';
import { AgentMode } from './modes.ts';
import { statusOf } from './pipeline.ts';
import { isTaskRequest, Priority, type StoredTaskEvent, type TaskEvent, TaskKind } from './task-facts.ts';

/** One line of a listing of tasks: a card of the board. */
export const TaskRow = StreamRow.extend({
  kind: z.literal('task'),
  /** The name of its status in its pipeline. */
  state: z.string(),
  statusTitle: z.string(),
  statusKind: z.enum(['open', 'working', 'waiting', 'ended']),
  /** Those that its pipeline has, with what is shown of them: what has ended is no more folded. */
  statuses: z.array(
    z.strictObject({ name: z.string(), title: z.string(), kind: z.string(), mode: z.string().optional() }),
  ),
  project: z.string(),
  title: z.string(),
  taskKind: TaskKind,
  priority: Priority,
  dependencies: z.array(z.string()),
  /** The agent that is at it. */
  active: z
    .strictObject({ run: z.string(), mode: AgentMode, agent: z.string(), since: z.number() })
    .nullable(),
  lastOutcome: z.string().nullable(),
  question: z.string().nullable(),
  message: z.string().nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  costUsd: z.number(),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** The row after one more event; null until it is there. Total. */
export function projectTask(row: TaskRow | null, { stream, event }: StoredTaskEvent): TaskRow | null {
  if (event.type === 'task-created') {
    const { place, pipeline, text, project, at } = event;
    return {
      id: stream,
      kind: 'task',
      ...placedAt(pipeline.statuses, pipeline.initial),
      statuses: pipeline.statuses,
      project,
      title: text.title,
      taskKind: text.kind,
      priority: text.priority,
      dependencies: text.dependencies,
      workspace: place.workspace,
      createdAt: at,
      updatedAt: at,
      endedAt: null,
      wakeAt: null,
      goesOn: false,
      awaits: null,
      active: null,
      lastOutcome: null,
      question: null,
      message: null,
      branch: null,
      worktree: null,
      unanswered: [],
      costUsd: 0,
    };
  }
  return row === null ? null : { ...row, ...changes(row, event), updatedAt: event.at };
}

const placedAt = (statuses: TaskRow['statuses'], name: string) => {
  const status = statusOf({ statuses: statuses as never }, name);
  return {
    state: name,
    statusTitle: status?.title ?? name,
    statusKind: (status?.kind ?? 'waiting') as TaskRow['statusKind'],
  };
};

const inRow = (text: string | null): string | null => (text === null ? null : cutTo('row', text));

function changes(row: TaskRow, event: TaskEvent): Partial<TaskRow> {
  if (isTaskRequest(event)) return {};
  if (isChildFact(event)) {
    switch (event.type) {
      case 'child-started':
        return { goesOn: true, awaits: event.child };
      case 'child-begun':
      case 'child-cancelled':
        return { goesOn: false };
      case 'child-ended':
        return { goesOn: true, awaits: null };
    }
  }
  switch (event.type) {
    case 'task-edited': {
      const { title, kind: taskKind, priority, dependencies } = event.text;
      return { title, taskKind, priority, dependencies };
    }
    case 'moved': {
      const place = placedAt(row.statuses, event.to);
      const isOver = place.statusKind === 'ended';
      return {
        ...place,
        goesOn: place.statusKind === 'working',
        wakeAt: null,
        endedAt: isOver ? event.at : null,
      };
    }
    case 'outcome-unknown':
      return { goesOn: false, message: inRow(`nothing is known about the outcome ${event.outcome}`) };
    case 'phase-begun': {
      const { run, mode, agent, at: since } = event;
      return { active: { run, mode, agent, since }, wakeAt: null, goesOn: true, message: null };
    }
    case 'phase-ended':
      return {
        active: null,
        lastOutcome: event.outcome,
        message: inRow(event.message),
        question:
          event.outcome === 'needs_info' ? inRow(event.payload.question ?? event.message) : row.question,
        branch: event.branch ?? row.branch,
        worktree: event.worktree ?? row.worktree,
        costUsd: row.costUsd + event.costUsd,
      };
    case 'question-answered':
      return { question: null };
    case 'merge-started':
      return { goesOn: true };
    case 'merge-finished':
      // What asks for being merged elsewhere waits for that.
      return {
        goesOn: event.ok && event.commit !== null,
        message: event.ok && event.pullRequest === undefined ? null : inRow(event.message),
      };
    default:
      return {};
  }
}
