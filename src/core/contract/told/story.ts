import type { EventOf, FactEvent, PlanPatch, StoredEvent } from '../index.ts';
import { correctionWords, sourceWords } from './correction.ts';
import { failureWords, stopWords } from './reasons.ts';
import type { Tone } from './sentence.ts';
import { capital, count } from './text.ts';
import { duration } from './time.ts';

/** Something worth telling: bookkeeping is left out, and steps that simply went well are told together. */
export interface Moment {
  seq: number;
  at: number;
  tone: Exclude<Tone, 'going'>;
  title: string;
  detail: string | null;
  /** The correction that it tells of. */
  correctionId: string | null;
  patch: PlanPatch | null;
}

type Line = Pick<Moment, 'tone' | 'title'> & Partial<Moment>;
type Name = (stepId: string) => string;

const line = (tone: Moment['tone'], title: string, detail: string | null = null): Line => ({
  tone,
  title,
  detail,
});

/** How each fact is told; null: it is not worth it, or another fact tells it. */
const lines: { [T in FactEvent['type']]: ((event: EventOf<T>, name: Name) => Line | null) | null } = {
  'plan-created': ({ plan, options }) =>
    line('quiet', `A plan of ${count(plan.steps.length, 'step')}`, `${options.mode} mode`),
  'plan-confirmed': () => line('quiet', 'The plan was agreed on'),
  'plan-rejected': ({ reason }) => line('fail', 'The plan was declined', reason),
  'plan-revised': ({ answers, revision, patch }) => ({
    ...(answers === undefined ? line('mind', 'The plan was changed') : line('quiet', 'You changed the plan')),
    detail: `revision ${revision}`,
    patch,
  }),
  'driver-claimed': null,
  'step-offered': null,
  'step-accepted': null,
  'step-judged': null,
  'approval-needed': ({ subject, verdict }, name) =>
    line('wait', `${name(subject.stepId)}: needs your approval`, verdict.reasons[0]?.sentence),
  'approval-granted': () => line('quiet', 'Approved'),
  'approval-denied': ({ reason }) => line('quiet', 'Denied', reason),
  'step-started': null,
  'loop-frozen': null,
  'item-completed': null,
  'question-asked': ({ text }) => line('wait', text),
  'services-surveyed': null,
  'process-spawned': null,
  'change-prepared': null,
  'step-completed': ({ stepId, by, result }, name) =>
    line('done', name(stepId), by === 'person' ? 'done by you' : duration(result.durationMs)),
  'step-failed': ({ stepId, attemptIndex, result }, name) =>
    line(
      'fail',
      `${name(stepId)} ${failureWords(result)}`,
      attemptIndex > 0 ? `attempt ${attemptIndex + 1}` : null,
    ),
  'step-interrupted': ({ stepId, detail }, name) => line('wait', `${name(stepId)}: interrupted`, detail),
  'interrupt-asked': null,
  'interrupt-resolved': null,
  'step-skipped': ({ stepId }, name) => line('quiet', `${name(stepId)}: skipped`),
  'step-reset': null,
  'mode-changed': ({ mode }) => line('quiet', `${capital(mode)} mode`),
  // What failed was told when it did, and what the brain makes of it is told by the brain.
  'run-paused': ({ reason, message }) =>
    reason.startsWith('agent-') || reason === 'step-failed'
      ? null
      : line('quiet', stopWords(reason), message),
  'run-resumed': () => line('quiet', 'Resumed'),
  'processes-released': null,
  'run-finished': ({ outcome, reason, message }) => line(outcomes[outcome], stopWords(reason), message),
  'request-refused': ({ message }) => line('quiet', 'A request was refused', message),
  'agent-thinking': null,
  'correction-attempt': ({ correction, stepId, correctionId }, name) => ({
    ...line('mind', `${capital(correctionWords(correction))}: ${name(stepId)}`, sourceWords(correction)),
    correctionId,
  }),
  'correction-refused': ({ message }) => line('mind', 'That correction was refused', message),
  'correction-success': ({ stepId }, name) => line('done', `Mended: ${name(stepId)}`),
  'correction-failed': () => line('fail', 'That correction did not help'),
  'retry-attempt': null,
  'grant-wanted': null,
  'precheck-overruled': null,
  'budget-warning': ({ message }) => line('wait', message),
  'agent-stuck': ({ message }) => line('fail', 'The brain is stuck', message),
  'agent-error': ({ message }) => line('fail', 'The brain knows no way', message),
  'plan-cancelled': ({ reason }) => line('fail', 'The brain gave up the run', reason),
  'hint-given': ({ text }) => line('quiet', 'You gave a hint', text),
  'model-call-started': null,
  'model-call-finished': null,
  'model-fell-back': ({ message }) => line('mind', 'Another model took over', message),
  'checkpoint-taken': null,
  'checkpoint-failed': null,
  'rollback-started': null,
  'rolled-back': null,
  'goal-given': null,
  'planner-called': null,
  'planner-call-failed': null,
  'goal-restated': null,
  'draft-received': null,
  'draft-unreadable': null,
  'draft-repaired': null,
  'draft-rejected': null,
  'hints-given': null,
  'planning-question': null,
  'planning-answered': null,
  'plan-proposed': null,
  'feedback-given': null,
  'planning-failed': null,
};

const outcomes = { done: 'done', failed: 'fail', cancelled: 'quiet' } as const;

/** A run as it would be told. Requests are not: what came of them is. */
export function storyOf(events: readonly Pick<StoredEvent, 'seq' | 'event'>[]): Moment[] {
  const moments: Moment[] = [];
  const titles = new Map<string, string>();
  let wentWell = 0;
  for (const { seq, event } of events) {
    if (event.type === 'plan-created') for (const step of event.plan.steps) titles.set(step.id, step.title);
    if (event.type === 'plan-revised') learn(titles, event.patch);
    const name = (stepId: string) => titles.get(stepId) ?? stepId;
    const teller = (lines as Record<string, ((event: never, name: Name) => Line | null) | null>)[event.type];
    const told = teller?.(event as never, name);
    if (told == null) continue;
    wentWell = event.type === 'step-completed' ? wentWell + 1 : 0;
    if (wentWell > 1) {
      const together = { title: `${wentWell} steps went well`, detail: `to ${told.title}` };
      moments.push({ ...moments.pop()!, ...together });
    } else moments.push({ seq, at: event.at, detail: null, correctionId: null, patch: null, ...told });
  }
  return moments;
}

function learn(titles: Map<string, string>, patch: PlanPatch): void {
  for (const change of patch) {
    if (change.op === 'insert') for (const step of change.steps) titles.set(step.id, step.title);
    if (change.op === 'replace') titles.set(change.stepId, change.step.title);
  }
}
