import type { PlanPatch, RequestEvent, RunEvent, StoredEvent } from '../index.ts';
import { stepsIn } from '../patch.ts';
import { isRequest } from '../requests.ts';
import { actorWords } from '../stream/actor.ts';
import { type Telling, tellFact } from './facts.ts';
import { furtherWords, stopWords } from './reasons.ts';
import { refusedNoun } from './requests.ts';
import { capital } from './text.ts';

/** Something worth telling: bookkeeping is left out, and steps that simply went well are told together. */
export interface Moment {
  seq: number;
  at: number;
  tone: NonNullable<Telling['tone']>;
  title: string;
  detail: string;
  /** The correction that it tells of. */
  correctionId: string | null;
  patch: PlanPatch | null;
}

/** Names of corrections are for logs. */
const plainly: Partial<Record<RunEvent['type'], string>> = {
  'correction-success': 'is mended',
  'correction-failed': 'the correction did not help',
  'plan-cancelled': 'the brain gave the plan up',
};

/** A run as it would be told. Requests are not: what came of them is. */
export function storyOf(events: readonly Pick<StoredEvent, 'seq' | 'event'>[]): Moment[] {
  const moments: Moment[] = [];
  const titles = new Map<string, string>();
  const requests = new Map<number, RequestEvent>();
  const approvals = new Map<string, string>();
  const name = (stepId: string) => titles.get(stepId) ?? stepId;
  let wentWell = 0;
  for (const { seq, event } of events) {
    learn(titles, event);
    if (isRequest(event)) requests.set(seq, event);
    if (event.type === 'approval-needed') approvals.set(event.approvalId, event.subject.stepId);
    const telling = decidedBy(event, requests, approvals) ?? tellFact(event, name);
    // What a correction changed is told with the correction.
    if (event.type === 'plan-revised' && event.correctionId !== undefined) continue;
    if (telling?.tone === undefined) continue;
    const { tone, about, aside, said } = telling;
    wentWell = event.type === 'step-completed' ? wentWell + 1 : 0;
    if (wentWell > 1 && about !== undefined) {
      const together = { title: `${wentWell} steps went well`, detail: `up to “${name(about)}”` };
      moments.push({ ...moments.pop()!, ...together });
      continue;
    }
    const isStop = event.type === 'run-paused' || event.type === 'run-finished';
    const what = isStop ? stopWords(event.reason) : (plainly[event.type] ?? telling.what);
    const words = event.type === 'step-failed' ? furtherWords(event.result) : said;
    moments.push({
      seq,
      at: event.at,
      tone,
      title: about === undefined ? capital(what) : `${name(about)} ${what}`,
      detail: [aside, words].filter(Boolean).join(': '),
      correctionId: event.type === 'correction-attempt' ? event.correctionId : null,
      patch: event.type === 'plan-revised' ? event.patch : null,
    });
  }
  return moments;
}

/** A decision is told with who made it, and one that came to nothing too. Null for everything else. */
function decidedBy(
  event: RunEvent,
  requests: ReadonlyMap<number, RequestEvent>,
  approvals: ReadonlyMap<string, string>,
): Telling | null {
  if (!('answers' in event) || event.answers === undefined) return null;
  const request = requests.get(event.answers);
  if (request === undefined) return null;
  const by = `by ${actorWords(request.by)}`;
  if (event.type === 'request-refused')
    return { tone: 'wait', what: `${refusedNoun(request)} was refused`, aside: by, said: event.message };
  if (event.type !== 'approval-granted' && event.type !== 'approval-denied') return null;
  const about = approvals.get(event.approvalId);
  if (about === undefined) return null;
  if (event.type === 'approval-granted') return { tone: 'quiet', about, what: 'was approved', aside: by };
  return { tone: 'quiet', about, what: 'was denied', aside: by, said: event.reason };
}

function learn(titles: Map<string, string>, event: RunEvent): void {
  if (event.type === 'plan-created') for (const step of event.plan.steps) titles.set(step.id, step.title);
  if (event.type === 'plan-revised') for (const step of stepsIn(event.patch)) titles.set(step.id, step.title);
}
