import type { ApprovalState, RequestBody, RunState } from '../../core/contract/index.ts';
import { openQuestion } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../app/errors.ts';
import { findStep } from '../app/find-step.ts';
import type { WantedFor } from '../app/meant.ts';
import { attend } from './attend.ts';
import type { Given } from './command.ts';
import { type Context, isAttended, note, printJson } from './context.ts';
import { meantRun } from './meant-run.ts';
import { chooseView } from './screens/index.ts';
import { withApp } from './with-app.ts';

/**
 * Asks something of a run from another terminal and waits for the answer. Where nobody drives the run, this
 * process answers it, and goes no further: what is asked here leaves the run at rest.
 */
export const askOfRun = (
  context: Context,
  given: Given,
  prefix: string | undefined,
  purpose: WantedFor,
  body: RequestBody,
  said: string,
): Promise<ExitCode> =>
  withApp(context, given, async (app) => {
    const row = await meantRun(app, context, given, prefix, purpose);
    const seq = await app.runs.request(row.id, body, { by: ownerAt('terminal') });
    const refusal = await answerTo(app, row.id, seq);
    if (given.flag('json')) printJson(context, { run: row.id, ok: refusal === null, refused: refusal });
    else note(context, refusal === null ? `${said}: run ${row.id}` : `Refused: ${refusal}.`);
    return refusal === null ? exitCodes.done : exitCodes.failed;
  });

/** Asks something that sets the run going again, and stays with it as `resume` does. */
export const askAndAttend = (
  context: Context,
  given: Given,
  prefix: string | undefined,
  purpose: WantedFor,
  body: (state: RunState) => RequestBody,
  before?: (app: App, context: Context, id: string) => Promise<void>,
): Promise<ExitCode> =>
  withApp(context, given, async (app) => {
    const { id } = await meantRun(app, context, given, prefix, purpose);
    await before?.(app, context, id);
    const asked = await app.runs.request(id, body(await app.runs.state(id)), { by: ownerAt('terminal') });
    const json = given.flag('json');
    const attended = isAttended(context) && !json;
    const view = chooseView(context, { id, json });
    const agreement = attended ? 'ask' : undefined;
    return attend({ app, id, context, view, attended, after: asked - 1, asked, agreement });
  });

const PATIENCE_MS = 60_000;

/** The sentence of the refusal, or null once a fact has answered. */
export async function answerTo(app: App, id: string, seq: number): Promise<string | null> {
  const stop = new AbortController();
  const limit = new AbortController();
  const broken: unknown[] = [];
  const driving = app.runs.drive(id, { signal: stop.signal }).catch((error: unknown) => {
    broken.push(error);
    limit.abort();
  });
  const timer = setTimeout(() => limit.abort(), PATIENCE_MS);
  try {
    for await (const { event } of app.runs.watch(id, seq, limit.signal)) {
      if (!('answers' in event) || event.answers !== seq) continue;
      if (event.type === 'services-stopped' && event.stuck !== undefined)
        return `${event.stuck.join(', ')} could not be ended`;
      return event.type === 'request-refused' ? event.message : null;
    }
    if (broken.length > 0) throw broken[0];
    throw new AppError('usage', 'nobody has answered yet; the request stays in the journal', {
      exitCode: exitCodes.needsPerson,
    });
  } finally {
    clearTimeout(timer);
    stop.abort();
    await driving;
  }
}

/** The id of the step that a person names; without a name the one that failed or waits. */
export function stepIdOf(state: RunState, named: string | undefined): string {
  if (state.plan === null) throw new AppError('no-such-step', 'the run has no plan yet');
  if (named !== undefined) return state.plan.steps[findStep(state.plan, named)]!.id;
  const id = state.steps.find((step) => step.status === 'failed')?.id ?? openQuestion(state)?.stepId;
  if (id == null) throw new AppError('no-such-step', 'no step has failed: name one by number, id or title');
  return id;
}

/** What the run waits to be approved. */
export function openApproval(state: RunState): ApprovalState {
  const question = openQuestion(state);
  if (question?.kind !== 'approval')
    throw new AppError('usage', 'nothing in this run waits for an approval; planwright waiting');
  return question.approval;
}
