import type { Plan } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { type ExitCode, exitCodes } from '../app/errors.ts';
import { asShown } from './as-shown.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { agreementChoices } from './render/choices.ts';
import { renderAgreement } from './render/questions.ts';
import { showPlan } from './show-plan.ts';

/**
 * Shows the steps with their risk and asks once. Saying yes approves the dangerous ones, each as it was shown. Resolves
 * with null, or, where nothing is to be run, with how the command ends.
 */
export async function agree(
  app: App,
  context: Context,
  id: string,
  plan: Plan,
  excluded: string[],
): Promise<ExitCode | null> {
  const shown = await app.runs.preview(id);
  const state = await app.runs.state(id);
  const verdicts = new Map(shown.map((each) => [each.subject.stepId, asShown(each, state)]));
  showPlan(context, plan, excluded, (step) => verdicts.get(step.id));
  const look = lookOf(context, 'stderr');
  note(context, renderAgreement(plan.steps.length - excluded.length, state.workspace, look).join('\n'));
  const answer = await askKey(context, agreementChoices, new AbortController().signal);
  const decision = typeof answer === 'string' ? 'cancel' : answer.decision;
  const approves = shown.filter(
    ({ subject, verdict }) => verdict.level === 'dangerous' && !excluded.includes(subject.stepId),
  );
  const body = { type: 'plan-decided', revision: plan.revision, decision } as const;
  await app.runs.request(id, decision === 'all' ? { ...body, approves } : body, { by: ownerAt('terminal') });
  if (decision !== 'cancel') return null;
  await app.runs.drive(id);
  return typeof answer === 'string' ? exitCodes.interrupted : exitCodes.done;
}
