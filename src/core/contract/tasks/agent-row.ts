import { z } from 'zod';
import { describeAction } from '../action-words.ts';
import { StreamRow } from '../stream/row.ts';
import { callFinished, callStarted, committed, noSpending, Spending } from '../stream/spending.ts';
import { RiskLevel } from '../verdict.ts';
import type { AgentEvent, StoredAgentEvent } from './agent-facts.ts';
import { cutTo } from './limits.ts';
import { AgentMode } from './modes.ts';

/** One line of a listing of agent runs. */
export const AgentRunRow = StreamRow.extend({
  kind: z.literal('agent-run'),
  state: z.enum(['queued', 'preparing', 'running', 'waiting', 'validating', 'done', 'failed', 'stopped']),
  task: z.string(),
  project: z.string(),
  title: z.string(),
  mode: AgentMode,
  agent: z.string(),
  attempt: z.int(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  worktree: z.string().nullable(),
  /** What a person has to decide on, in short, and how risky it is. */
  asks: z.strictObject({ title: z.string(), risk: RiskLevel }).nullable().optional(),
  costUsd: z.number(),
  /** How long agents have worked in it, time that people took to decide left out; and since when one does. */
  workedMs: z.number().optional(),
  workingSince: z.number().nullable().optional(),
  spending: Spending,
});
export type AgentRunRow = z.infer<typeof AgentRunRow>;

/** The row after one more event; null until it has begun. Total. */
export function projectAgent(
  row: AgentRunRow | null,
  { stream, event }: StoredAgentEvent,
): AgentRunRow | null {
  if (event.type === 'agent-run-begun') {
    const { task, project, mode, agent, brief, place, at } = event;
    return {
      id: stream,
      kind: 'agent-run',
      state: 'queued',
      task,
      project,
      title: brief.title,
      mode,
      agent,
      attempt: 0,
      outcome: null,
      message: null,
      worktree: null,
      workspace: place.workspace,
      createdAt: at,
      updatedAt: at,
      endedAt: null,
      wakeAt: null,
      goesOn: true,
      awaits: null,
      unanswered: [],
      costUsd: 0,
      spending: noSpending,
    };
  }
  return row === null ? null : { ...row, ...changes(row, event), updatedAt: event.at };
}

function changes(row: AgentRunRow, event: AgentEvent): Partial<AgentRunRow> {
  switch (event.type) {
    case 'agent-queued':
      return { wakeAt: event.until, message: event.why };
    case 'agent-admitted':
      return { state: 'preparing', wakeAt: null, message: null };
    case 'worktree-prepared':
      return { worktree: event.path };
    case 'agent-started':
      return { state: 'running', attempt: event.attempt, workingSince: event.at };
    case 'approval-needed':
      return {
        state: 'waiting',
        asks: {
          title: cutTo('row', describeAction(event.subject.action)),
          risk: event.verdict.level,
        },
        ...worked(row, event.at),
      };
    case 'approval-granted':
    case 'approval-denied':
      return { state: 'running', asks: null, workingSince: event.at };
    case 'agent-finished':
      return {
        state: 'validating',
        asks: null,
        costUsd: row.costUsd + event.costUsd,
        ...worked(row, event.at),
      };
    case 'agent-interrupted':
      return { asks: null, ...worked(row, event.at) };
    case 'model-call-started':
      return spent(row, callStarted(row.spending, event));
    case 'model-call-finished':
      return spent(row, callFinished(row.spending, event));
    case 'agent-run-ended': {
      const { status: state, outcome, message, at } = event;
      const short = message === null ? null : cutTo('row', message);
      return { state, outcome, message: short, endedAt: at, goesOn: false, asks: null };
    }
    default:
      return {};
  }
}

const worked = ({ workedMs = 0, workingSince = null }: AgentRunRow, at: number): Partial<AgentRunRow> => ({
  workedMs: workedMs + (workingSince === null ? 0 : Math.max(0, at - workingSince)),
  workingSince: null,
});

const spent = (row: AgentRunRow, spending: Spending): Partial<AgentRunRow> => ({
  spending,
  costUsd: row.costUsd - committed(row.spending).usd + committed(spending).usd,
});
