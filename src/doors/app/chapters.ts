import {
  type Correction,
  evolve,
  type FailureWhy,
  initialRunState,
  type RunState,
  type StepResult,
  type StoredEvent,
  stepState,
} from '../../core/contract/index.ts';
import { titleOf } from '../../core/contract/told/index.ts';
import { renderPlanDiff } from '../../core/plan/index.ts';

/** One failure and what was made of it. */
export interface Chapter {
  at: number;
  stepId: string;
  title: string;
  attemptIndex: number;
  /** How it failed, and the end of what it said. */
  failure: Pick<StepResult, 'exitCode' | 'signal'> & { why: FailureWhy; message: string; said: string };
  correction: (Correction & { id: string }) | null;
  /** Where there is no correction: why not. */
  unanswered: string | null;
  outcome: 'proposed' | 'applied' | 'refused' | 'succeeded' | 'failed' | 'stuck' | 'unanswered';
  /** Why it was refused, or how it failed. */
  reason: string | null;
  /** The plan before and after, as people read it; empty where it did not change. */
  diff: string;
  cost: { usd: number; tokens: number };
}

/** The story of a run: each failure, its diagnosis, the correction, its source, its cost, the plan's diff. */
export function chaptersOf(events: readonly StoredEvent[]): Chapter[] {
  const chapters: Chapter[] = [];
  const byCorrection = new Map<string, Chapter>();
  let state: RunState = initialRunState;
  let open: Chapter | null = null;
  for (const stored of events) {
    const before = state;
    state = evolve(state, stored);
    const { event } = stored;
    switch (event.type) {
      case 'agent-thinking':
        open = chapterOf(before, event.stepId, event.attemptIndex, event.at);
        chapters.push(open);
        break;
      case 'agent-stuck': {
        const attempts = stepState(before, event.stepId)?.attempts ?? 1;
        const stuck = chapterOf(before, event.stepId, Math.max(0, attempts - 1), event.at);
        // A limit of models is met in the middle of a consultation, whose chapter is open already.
        if (
          open !== null &&
          open.correction === null &&
          open.stepId === event.stepId &&
          open.unanswered === null
        )
          Object.assign(open, { outcome: 'stuck', reason: event.message });
        else chapters.push({ ...stuck, outcome: 'stuck', reason: event.message });
        open = null;
        break;
      }
      case 'model-call-finished':
        if (open !== null) {
          open.cost.usd += event.usd ?? 0;
          open.cost.tokens += (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0);
        }
        break;
      case 'correction-attempt':
        if (open === null) break;
        open.correction = { id: event.correctionId, ...event.correction };
        open.outcome = 'proposed';
        byCorrection.set(event.correctionId, open);
        break;
      case 'agent-error':
        if (open !== null) open.unanswered = event.message;
        break;
      case 'plan-revised': {
        const chapter = byCorrection.get(event.correctionId ?? '');
        if (chapter !== undefined && chapter.diff === '')
          chapter.diff = renderPlanDiff(before.plan!, state.plan!);
        break;
      }
    }
  }
  for (const { id, status, reason } of state.corrections) {
    const chapter = byCorrection.get(id);
    if (chapter === undefined) continue;
    chapter.outcome = status;
    chapter.reason = reason;
  }
  return chapters;
}

function chapterOf(state: RunState, stepId: string, attemptIndex: number, at: number): Chapter {
  const result = stepState(state, stepId)?.result ?? null;
  return {
    at,
    stepId,
    title: titleOf(state.plan, stepId),
    attemptIndex,
    failure: failureOf(result),
    correction: null,
    unanswered: null,
    outcome: 'unanswered',
    reason: null,
    diff: '',
    cost: { usd: 0, tokens: 0 },
  };
}

const failureOf = (result: StepResult | null): Chapter['failure'] => ({
  why: result?.why ?? 'exit-code',
  exitCode: result?.exitCode ?? null,
  signal: result?.signal ?? null,
  message: result?.message ?? '',
  said: (result?.stderrTail || result?.stdoutTail || '').trim(),
});
