import { type AgentPayload, cutTo, type TaskLimit, taskLimits } from '../contract/tasks/index.ts';
import type { AgentEnd } from './ports.ts';

const limitOf: Record<keyof AgentPayload, { each: TaskLimit; most?: TaskLimit }> = {
  plan: { each: 'plan' },
  planSummary: { each: 'summary' },
  investigationSummary: { each: 'summary' },
  summary: { each: 'summary' },
  question: { each: 'question' },
  subtasks: { each: 'subtask', most: 'subtasks' },
  comments: { each: 'reviewComment', most: 'reviewComments' },
};

/** What an agent came to, no longer than the journal and later prompts can bear. What no payload has is left out. */
export function bounded(end: AgentEnd): AgentEnd {
  const payload = Object.entries(limitOf).flatMap(([name, { each, most = 'subtasks' }]) => {
    const value = end.payload[name as keyof AgentPayload];
    if (value === undefined) return [];
    return [
      [
        name,
        Array.isArray(value)
          ? value.slice(0, taskLimits[most]).map((one) => cutTo(each, one))
          : cutTo(each, value),
      ],
    ];
  });
  return {
    ...end,
    payload: Object.fromEntries(payload) as AgentPayload,
    outcome: cutTo('row', end.outcome),
    message: end.message === null ? null : cutTo('message', end.message),
  };
}
