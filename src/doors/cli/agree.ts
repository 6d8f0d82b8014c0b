import type { Plan, ShownStep } from '../../core/contract/index.ts';
import { agreementChoices, shownVerdict } from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { type ExitCode, exitCodes } from '../app/errors.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { renderAgreement } from './render/questions.ts';
import { showPlan } from './show-plan.ts';

/**
 * Shows the steps with their risk and asks once. Saying yes approves the dangerous ones, each as it was shown, unless
 * they are to be asked about when they come. Resolves with null, or, where nothing is to be run, with how the command ends.
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
  const verdicts = new Map(shown.map((each) => [each.subject.stepId, shownVerdict(each, state)]));
  showPlan(context, plan, excluded, { verdictOf: (step) => verdicts.get(step.id) });
  const look = lookOf(context, 'stderr');
  const isTaught = state.options?.mode === 'teacher';
  // In teacher mode each step is decided on when it is shown.
  const approves = shown.filter(
    ({ subject, verdict }) =>
      !isTaught && verdict.level === 'dangerous' && !excluded.includes(subject.stepId),
  );
  const asked = {
    steps: plan.steps.length - excluded.length,
    workspace: state.workspace,
    dangerous: actionsOf(approves),
  };
  const choices = agreementChoices({ dangerous: approves.length, isTaught });
  note(context, ['', ...renderAgreement(asked, choices, look)].join('\n'));
  const answer = await askKey(context, choices, new AbortController().signal);
  const chosen = typeof answer === 'string' ? 'cancel' : answer.decision;
  const decision = chosen === 'asking' ? 'all' : chosen;
  const body = { type: 'plan-decided', revision: plan.revision, decision } as const;
  await app.runs.request(id, chosen === 'all' && !isTaught ? { ...body, approves } : body, {
    by: ownerAt('terminal'),
  });
  if (decision !== 'cancel') return null;
  await app.runs.drive(id);
  return typeof answer === 'string' ? exitCodes.interrupted : exitCodes.failed;
}

/** What the steps would do. */
export const actionsOf = (shown: readonly ShownStep[]): string[] =>
  shown.map(({ subject: { action } }) => {
    if (action.kind === 'run-command') return action.command;
    return action.kind === 'run-script' ? action.script : printAction(action);
  });
