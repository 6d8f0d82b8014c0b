import type { ApprovalDecision, RequestBody, RequestEvent, RunState } from '../index.ts';
import type { RequestType } from '../requests.ts';
import { actorWords } from '../stream/actor.ts';
import { stepName } from './numbering.ts';
import { openQuestion } from './question.ts';
import { capital } from './text.ts';

/** What people asked of a run, until its driver has answered, and where it said no. */

type Wording = { [T in RequestType]: (request: Extract<RequestBody, { type: T }>, run: RunState) => string };

const decided: Record<ApprovalDecision, string> = {
  approve: 'approved',
  deny: 'denied',
  abort: 'denied, and the run is to end',
};
const agreed = {
  all: 'the plan is agreed on',
  'step-by-step': 'agreed, step by step',
  cancel: 'the plan is declined',
};
const taught = { run: 'to be run', skip: 'to be skipped', 'did-it': 'done by hand', stop: 'not now' };
const unknown = { rerun: 'to be run again', skip: 'to be skipped', done: 'it was done', stop: 'not now' };
const after = ({ inFlight }: RunState) => (inFlight === null ? '' : ' when this step has ended');

/** What is asked, as the middle of a sentence. */
const asked: Wording = {
  'cancel-requested': () => 'cancel',
  'pause-requested': (_, run) => `pause${after(run)}`,
  'resume-requested': () => 'go on',
  'mode-requested': ({ mode }, run) => `${mode} mode${after(run)}`,
  'edit-requested': () => 'change the plan',
  'skip-requested': ({ stepId }, { plan }) => `skip ${stepName(plan, stepId)}`,
  'retry-requested': ({ stepId }, { plan }) => `attempt ${stepName(plan, stepId)} again`,
  'hint-requested': ({ stepId }, { plan }) => `a hint about ${stepName(plan, stepId)}`,
  'plan-decided': ({ decision }) => agreed[decision],
  'approval-decided': ({ decision, approvalId }, { plan, approvals }) => {
    const stepId = approvals.find(({ id }) => id === approvalId)?.stepId;
    return `${stepId === undefined ? `approval ${approvalId}` : stepName(plan, stepId)} ${decided[decision]}`;
  },
  'step-decided': ({ stepId, decision }, { plan }) => `${stepName(plan, stepId)}: ${taught[decision]}`,
  'answer-given': () => 'your answer',
  'replan-requested': ({ stepId }, { plan }) => `plan ${stepName(plan, stepId)} differently`,
  'plan-given': () => 'your own plan',
  'serve-requested': ({ stepId }, { plan }) => `keep ${stepName(plan, stepId)} as a service`,
  'service-stop-requested': ({ name }) =>
    name === undefined ? 'stop its services' : `stop the service ${name}`,
  'interrupt-decided': ({ stepId, decision }, { plan }) => `${stepName(plan, stepId)}: ${unknown[decision]}`,
};

/** `pause when this step has ended`, `step 3 approved`. */
export const requestWords = (request: RequestBody, run: RunState): string =>
  (asked[request.type] as (request: RequestBody, run: RunState) => string)(request, run);

export interface UnansweredRequest {
  seq: number;
  text: string;
  by: string;
}

/** What was asked and no fact has answered yet, oldest first. */
export const pendingRequests = (run: RunState): UnansweredRequest[] =>
  run.inbox.map(({ seq, request }) => ({
    seq,
    text: capital(requestWords(bodyOf(request), run)),
    by: actorWords(request.by),
  }));

const bodyOf = (request: RequestEvent): RequestBody => request;

/** What has been decided about an approval and not been acted on: a Deny stands whatever else was said. */
export function pendingDecision({ inbox }: RunState, approvalId: string): 'approve' | 'deny' | null {
  const decisions = inbox.flatMap(({ request }) =>
    request.type === 'approval-decided' && request.approvalId === approvalId ? [request.decision] : [],
  );
  if (decisions.some((decision) => decision !== 'approve')) return 'deny';
  return decisions.length > 0 ? 'approve' : null;
}

/** Whether somebody has answered what the run asks, and it has not been acted on: nobody need be asked again. */
export function isAnswered(run: RunState): boolean {
  const question = openQuestion(run);
  if (question === null) return false;
  return run.inbox.some(({ request }) => {
    switch (request.type) {
      case 'cancel-requested':
        return true;
      case 'approval-decided':
        return question.kind === 'approval' && question.approval.id === request.approvalId;
      case 'plan-decided':
        return question.kind === 'agreement';
      case 'step-decided':
        return question.kind === 'offer' && question.stepId === request.stepId;
      case 'interrupt-decided':
        return question.kind === 'interrupt' && question.stepId === request.stepId;
      case 'answer-given':
        return question.kind === 'planner' || question.stepId === request.stepId;
      default:
        return false;
    }
  });
}

const nouns: Record<RequestType, string> = {
  'cancel-requested': 'cancelling',
  'pause-requested': 'a pause',
  'resume-requested': 'going on',
  'mode-requested': 'another mode',
  'edit-requested': 'a change of the plan',
  'skip-requested': 'skipping a step',
  'retry-requested': 'another attempt',
  'hint-requested': 'a hint',
  'plan-decided': 'a decision on the plan',
  'approval-decided': 'an approval',
  'step-decided': 'a decision on a step',
  'answer-given': 'an answer',
  'replan-requested': 'planning anew',
  'plan-given': 'a plan',
  'serve-requested': 'keeping a step as a service',
  'service-stop-requested': 'stopping a service',
  'interrupt-decided': 'a decision on an interrupted step',
};

/** What was refused, as the beginning of a sentence: `a denial`. */
export const refusedNoun = (request: RequestBody): string =>
  request.type === 'approval-decided' && request.decision !== 'approve' ? 'a denial' : nouns[request.type];

/** Said to whoever asked: `Refused (step 3 denied): approval s3.1 is granted.` */
export const refusalWords = (request: RequestBody, message: string, run: RunState): string =>
  `Refused (${requestWords(request, run)}): ${message}.`;
