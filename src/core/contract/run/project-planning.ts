import type { PlanningFact } from '../facts/planning.ts';

/** What planning changes in the row of a run. */

export const agreeing = {
  state: 'agreeing',
  waitingFor: 'agreement',
  stopReason: null,
  wakeAt: null,
  endedAt: null,
} as const;
const planning = { ...agreeing, state: 'planning', waitingFor: null } as const;

export function planningChanges({ stepsTotal }: { stepsTotal: number }, event: PlanningFact) {
  switch (event.type) {
    case 'planning-question':
      return { state: 'waiting', waitingFor: 'answer' } as const;
    case 'planning-answered':
    case 'feedback-given':
      return planning;
    case 'planning-failed':
      // A run that had a plan before is back at it.
      return stepsTotal > 0 ? agreeing : {};
    case 'goal-given':
    case 'planner-called':
    case 'planner-call-failed':
    case 'goal-restated':
    case 'draft-received':
    case 'draft-unreadable':
    case 'draft-repaired':
    case 'draft-rejected':
    case 'hints-given':
    case 'plan-proposed':
      return {};
  }
}
