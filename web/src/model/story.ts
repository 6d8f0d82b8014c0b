import { differenceWords, type NumberedEvent, type PlanPatch, type RunState } from '@contract';
import { correctionWords, type Mend, sourceWords } from './mending.ts';
import { duration } from './time.ts';
import { capital, count, failureWords, modeName, stopWords } from './words.ts';

/** Something worth telling: bookkeeping is left out, and steps that simply went well are told together. */
export interface Moment {
  seq: number;
  at: number;
  tone: 'quiet' | 'done' | 'fail' | 'wait' | 'mind';
  title: string;
  detail: string | null;
  mend: Mend | null;
  patch: PlanPatch | null;
}

export interface Story {
  moments: Moment[];
  /** Marks for the scrubber: where something failed, waited or was mended. */
  marks: { seq: number; tone: Moment['tone'] }[];
}

export function storyOf(events: readonly NumberedEvent[], corrections: readonly Mend[]): Story {
  const moments: Moment[] = [];
  const titles = new Map<string, string>();
  const mends = new Map(corrections.map((mend) => [mend.id, mend]));
  let went: { first: Moment; n: number } | null = null;
  const tell = (numbered: NumberedEvent, tone: Moment['tone'], title: string, rest: Partial<Moment> = {}) => {
    const moment = {
      seq: numbered.seq,
      at: numbered.event.at,
      tone,
      title,
      detail: null,
      mend: null,
      patch: null,
      ...rest,
    };
    moments.push(moment);
    went = null;
    return moment;
  };
  const name = (id: string) => titles.get(id) ?? id;
  for (const numbered of events) {
    const { event } = numbered;
    switch (event.type) {
      case 'plan-created':
        for (const step of event.plan.steps) titles.set(step.id, step.title);
        tell(numbered, 'quiet', `A plan of ${count(event.plan.steps.length, 'step')}`, {
          detail: `${modeName[event.options.mode]} mode`,
        });
        break;
      case 'plan-confirmed':
        tell(numbered, 'quiet', 'The plan was agreed on');
        break;
      case 'plan-rejected':
        tell(numbered, 'fail', 'The plan was declined', { detail: event.reason ?? null });
        break;
      case 'plan-revised': {
        for (const change of event.patch) {
          if (change.op === 'insert') for (const step of change.steps) titles.set(step.id, step.title);
          if (change.op === 'replace') titles.set(change.stepId, change.step.title);
        }
        const byPerson = event.answers !== undefined;
        tell(
          numbered,
          byPerson ? 'quiet' : 'mind',
          byPerson ? 'You changed the plan' : 'The plan was changed',
          {
            detail: `revision ${event.revision}`,
            patch: event.patch,
          },
        );
        break;
      }
      case 'step-completed': {
        if (went !== null) {
          const { first, n }: { first: Moment; n: number } = went;
          first.title = `${n + 1} steps went well`;
          first.detail = `to ${name(event.stepId)}`;
          went = { first, n: n + 1 };
          break;
        }
        const first = tell(numbered, 'done', name(event.stepId), {
          detail: event.by === 'person' ? 'done by you' : duration(event.result.durationMs),
        });
        went = { first, n: 1 };
        break;
      }
      case 'step-failed':
        tell(numbered, 'fail', `${name(event.stepId)}: ${failureWords(event.result)}`, {
          detail: event.attemptIndex > 0 ? `attempt ${event.attemptIndex + 1}` : null,
        });
        break;
      case 'step-skipped':
        tell(numbered, 'quiet', `${name(event.stepId)}: skipped`);
        break;
      case 'step-interrupted':
        tell(numbered, 'wait', `${name(event.stepId)}: interrupted`, { detail: event.detail });
        break;
      case 'approval-needed':
        tell(numbered, 'wait', `${name(event.subject.stepId)}: needs your approval`, {
          detail: event.verdict.reasons[0]?.sentence ?? null,
        });
        break;
      case 'approval-granted':
        tell(numbered, 'quiet', 'Approved');
        break;
      case 'approval-denied':
        tell(numbered, 'quiet', 'Denied', { detail: event.reason ?? null });
        break;
      case 'step-offered':
      case 'step-accepted':
        break;
      case 'question-asked':
        tell(numbered, 'wait', event.text);
        break;
      case 'mode-changed':
        tell(numbered, 'quiet', `Mode: ${modeName[event.mode]}`);
        break;
      case 'run-paused':
        // Told already, with its reason.
        if (event.reason.startsWith('agent-') || event.reason === 'step-failed') break;
        tell(numbered, 'quiet', capital(stopWords(event.reason)), { detail: event.message ?? null });
        break;
      case 'run-resumed':
        tell(numbered, 'quiet', 'Resumed');
        break;
      case 'run-finished': {
        const tone = event.outcome === 'done' ? 'done' : event.outcome === 'failed' ? 'fail' : 'quiet';
        tell(numbered, tone, capital(event.outcome), { detail: event.message ?? null });
        break;
      }
      case 'request-refused':
        tell(numbered, 'quiet', 'A request was refused', { detail: event.message });
        break;
      case 'correction-attempt': {
        const { correction, stepId } = event;
        const mend = mends.get(event.correctionId) ?? null;
        tell(numbered, 'mind', `${correctionWords(correction)}: ${name(stepId)}`, {
          detail: sourceWords(correction),
          mend,
        });
        break;
      }
      case 'correction-refused':
        tell(numbered, 'mind', 'That correction was refused', { detail: event.message });
        break;
      case 'correction-failed':
        tell(numbered, 'fail', 'That correction did not help');
        break;
      case 'correction-success':
        tell(numbered, 'done', `Mended: ${name(event.stepId)}`);
        break;
      case 'environment-differs':
        tell(numbered, 'wait', 'Another environment than the run was given', {
          detail: differenceWords(event),
        });
        break;
      case 'budget-warning':
        tell(numbered, 'wait', event.message);
        break;
      case 'agent-stuck':
      case 'agent-error':
        tell(
          numbered,
          'fail',
          event.type === 'agent-stuck' ? 'The brain is stuck' : 'The brain knows no way',
          { detail: event.message },
        );
        break;
      case 'plan-cancelled':
        tell(numbered, 'fail', 'The brain gave up the run', { detail: event.reason });
        break;
      case 'hint-given':
        tell(numbered, 'quiet', 'You gave a hint', { detail: event.text });
        break;
      case 'model-fell-back':
        tell(numbered, 'mind', 'Another model took over', { detail: event.message });
        break;
      default:
        break;
    }
  }
  const marks = moments
    .filter(({ tone }) => tone !== 'quiet' && tone !== 'done')
    .map(({ seq, tone }) => ({ seq, tone }));
  return { moments, marks };
}

/** How far a run was, for the words beside the scrubber. */
export const doneOf = (run: RunState): string =>
  `${run.steps.filter(({ status }) => status === 'done').length} of ${run.steps.length} steps done`;
