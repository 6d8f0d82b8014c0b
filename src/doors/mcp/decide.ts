import { hash } from 'node:crypto';
import { inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hashPlan, type RequestBody, type RunState } from '../../core/contract/index.ts';
import { evidenceOf } from '../../core/contract/told/evidence.ts';
import { isAnswered, openQuestion, type Question } from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { decidesThrough } from '../app/deciding-clients.ts';
import { Asks, type McpDesk, type Visit, type Visitor } from './desk.ts';

/*
 * A model never decides. A person does so through a client only where they have named it (`clients.decide`), because a
 * client may answer by program. What goes round:
 *
 *   question open ──▶ Asks, with the evidence and which question it is, sealed
 *        ▲                       │ the client answers, and calls again
 *        │ another question      ▼
 *        └──── is the same one still open? ── yes ──▶ the decision, in the person's name, through this client
 */

export const isDecider = (desk: McpDesk, caller: Visitor, state: RunState): boolean =>
  caller.canAsk &&
  caller.mayDecide &&
  decidesThrough(desk.app.places, desk.env, state.workspace, caller.client);

/** Names one question of one run: what was shown for it is not taken for another. The client sees the name. */
export const questionName = (question: Question, state: RunState): string =>
  hash('sha256', toTheLetter(question, state));

function toTheLetter(question: Question, { plan }: RunState): string {
  switch (question.kind) {
    case 'approval':
      return `approval ${question.approval.id} ${question.approval.fingerprint}`;
    case 'agreement':
      return `agreement ${plan?.revision} ${plan === null ? '' : hashPlan(plan)}`;
    case 'interrupt':
      return `interrupt ${question.stepId} ${question.attemptIndex}`;
    default:
      return `${question.kind} ${question.stepId} ${plan?.revision} ${'text' in question ? question.text : ''}`;
  }
}

const choices = {
  approval: { approve: 'Allow it, this once', deny: 'Do not' },
  agreement: { all: 'Run it', 'step-by-step': 'Run it, step by step', cancel: 'Do not run it' },
  interrupt: { rerun: 'Run it again', skip: 'Skip it', done: 'It was done', stop: 'Not now' },
  offer: { run: 'Run it', skip: 'Skip it', 'did-it': 'I did it', stop: 'Not now' },
  manual: { done: 'Done', stop: 'Not now' },
} as const;

/** The question as the client is to put it to its person: secrets are hidden. */
export async function formFor(desk: McpDesk, run: string, exact: RunState, question: Question) {
  const state = desk.app.redactorFor(exact).value(exact);
  const hidden = openQuestion(state) ?? question;
  const shown = question.kind === 'agreement' ? await desk.app.runs.preview(run) : [];
  const message = evidenceOf(hidden, state, printAction, shown).join('\n');
  if (question.kind === 'ask' || question.kind === 'planner') {
    const properties = { value: { type: 'string' as const, title: 'Your answer' } };
    return inputRequired.elicit({
      message,
      requestedSchema: { type: 'object', properties, required: ['value'] },
    });
  }
  const oneOf = Object.entries(choices[question.kind]).map(([value, title]) => ({ const: value, title }));
  const decision = { type: 'string' as const, title: 'Your decision', oneOf };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { decision }, required: ['decision'] },
  });
}

const Answer = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .looseObject({ decision: z.string(), value: z.string().max(20_000) })
    .partial()
    .optional(),
});

/** What the person decided; null where they left it open. Declining an approval or a plan is a no. */
export function decisionIn(answer: unknown, question: Question, state: RunState): RequestBody | null {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success || parsed.data.action === 'cancel') return null;
  const { action, content = {} } = parsed.data;
  const declined = { approval: 'deny', agreement: 'cancel' } as Partial<Record<Question['kind'], string>>;
  const word = action === 'accept' ? content.decision : declined[question.kind];
  if (question.kind === 'ask' || question.kind === 'planner') {
    if (action !== 'accept' || content.value === undefined) return null;
    const step = question.stepId === null ? {} : { stepId: question.stepId };
    return { type: 'answer-given', ...step, value: content.value };
  }
  if (word === undefined || !Object.hasOwn(choices[question.kind], word)) return null;
  switch (question.kind) {
    case 'approval':
      return {
        type: 'approval-decided',
        approvalId: question.approval.id,
        decision: word as 'approve' | 'deny',
      };
    case 'agreement':
      return { type: 'plan-decided', revision: state.plan!.revision, decision: word as 'all' };
    case 'interrupt':
      return {
        type: 'interrupt-decided',
        stepId: question.stepId,
        attemptIndex: question.attemptIndex,
        decision: word as 'rerun',
      };
    case 'offer':
      return { type: 'step-decided', stepId: question.stepId, decision: word as 'run' };
    case 'manual':
      return word === 'done' ? { type: 'answer-given', stepId: question.stepId } : null;
  }
}

/** Puts down what the person decided, where the question that they were shown is still the open one. */
export async function takeDecision(
  { desk, caller }: Pick<Visit, 'desk' | 'caller'>,
  run: string,
  asks: string,
  answer: unknown,
): Promise<'decided' | 'left'> {
  const state = await desk.app.runs.state(run);
  const question = openQuestion(state);
  if (question === null || isAnswered(state) || questionName(question, state) !== asks) return 'left';
  if (!isDecider(desk, caller, state)) return 'left';
  const body = decisionIn(answer, question, state);
  if (body === null) return 'left';
  // The person decides, by this client; the client itself may only ask.
  await desk.app.runs.request(run, body, { by: { ...caller.asker, scope: 'decide' } });
  desk.drivers.dispatch(run);
  return 'decided';
}

/** Where the person may decide through this client: the call goes round by them. */
export async function putTo(
  { desk, caller, seal }: Visit,
  run: string,
  state: RunState,
): Promise<Asks | null> {
  const question = openQuestion(state);
  if (question === null || isAnswered(state) || !isDecider(desk, caller, state)) return null;
  const form = await formFor(desk, run, state, question);
  const requestState = await seal({ run, asks: questionName(question, state) });
  const roots = caller.hasRoots ? { roots: inputRequired.listRoots() } : {};
  return new Asks(inputRequired({ inputRequests: { ...roots, decision: form }, requestState }));
}
