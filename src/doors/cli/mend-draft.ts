import type { RequestBody } from '../../core/contract/index.ts';
import { draftChoices } from '../../core/contract/told/index.ts';
import { toPlanFile } from '../../core/plan/file/index.ts';
import { renderProblem } from '../../core/plan/index.ts';
import type { App } from '../app/app.ts';
import { planFileOf } from '../app/drafts.ts';
import { checkPlan } from '../app/plans.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { editText } from './edit.ts';
import { lookOf } from './look-of.ts';
import { renderAsked } from './render/questions.ts';

/**
 * No plan came of it: offers the best draft, with its problems marked, to be mended in the editor, or to plan again.
 * Empty: the run is left as it is.
 */
export async function offerDraft(
  app: App,
  context: Context,
  id: string,
  signal: AbortSignal,
): Promise<RequestBody[]> {
  const exact = await app.runs.state(id);
  const shown = app.redactorFor(exact).value(exact);
  const { message = '', problems = [] } = shown.planning?.failed ?? {};
  let text = await planFileOf(exact);
  const choices = draftChoices(text !== null);
  const look = lookOf(context, 'stderr');
  for (;;) {
    const asked = renderAsked(`No plan: ${message}.`, look, choices);
    note(context, [...problems.map((each) => ` - ${each.message} ${each.hint}`), ...asked].join('\n'));
    const answer = await askKey(context, choices, signal);
    if (typeof answer === 'string' || answer.decision === 'leave') return [];
    if (answer.decision === 'again') return [{ type: 'resume-requested' }];
    const plan = editText(context, text ?? '');
    if (plan === null) continue;
    const checked = await checkPlan(plan, { workspace: exact.workspace, env: context.env });
    const said = checked.problems.map(renderProblem);
    note(context, said.join('\n'));
    if (checked.ok) return [{ type: 'plan-given', plan }];
    // What was mended so far is kept.
    text = `${said.map((line) => `# - ${line}\n`).join('')}${toPlanFile(plan)}`;
  }
}
