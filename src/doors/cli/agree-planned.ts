import { proposedPlan, type RequestBody, type RunState, type StepState } from '../../core/contract/index.ts';
import { keepChoices, plannedChoices, shownVerdict } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { AppError } from '../app/errors.ts';
import { findStep } from '../app/find-step.ts';
import { actionsOf } from './agree.ts';
import { askKey, askLine } from './ask.ts';
import { type Context, note } from './context.ts';
import { editWholePlan } from './edit.ts';
import { lookOf } from './look-of.ts';
import { renderProposal } from './render/proposal.ts';
import { renderAgreement, renderAsked } from './render/questions.ts';
import { renderReach } from './render/reach.ts';
import { showPlan } from './show-plan.ts';

/**
 * `ask` a person, or `safe`: start what has no dangerous step, and leave all else to a person. `keep` asks whether the
 * plan is good, and starts nothing; `show` does not even ask.
 */
export type Agreement = 'ask' | 'safe' | 'keep' | 'show';

/**
 * Agrees on a plan, one that was made from a goal above all. Resolves with what to ask of the run; null where the run
 * is left as it is.
 */
export async function agreePlanned(
  app: App,
  context: Context,
  id: string,
  how: Agreement,
): Promise<RequestBody | 'interrupted' | null> {
  const exact = await app.runs.state(id);
  const state = app.redactorFor(exact).value(exact);
  const plan = state.plan!;
  const excluded = state.options?.excluded ?? [];
  // A plan that was made anew has steps that are over.
  const open = new Set(
    state.steps.filter((step) => isOpen(step) && !excluded.includes(step.id)).map((step) => step.id),
  );
  const shown = (await app.runs.preview(id)).filter(({ subject }) => open.has(subject.stepId));
  const verdicts = new Map(shown.map((each) => [each.subject.stepId, shownVerdict(each, state)]));
  const dangerous = shown.filter(
    ({ verdict }) => verdict.level === 'dangerous' || verdict.level === 'blocked',
  );
  const all: RequestBody = { type: 'plan-decided', revision: plan.revision, decision: 'all' };
  const look = lookOf(context, 'stderr');
  note(context, renderProposal(state, look).join('\n'));
  const judged = shown.map((each) => ({ ...each, verdict: shownVerdict(each, state) }));
  const proposed = proposedPlan(state, app.redactorFor(exact).value(judged));
  showPlan(context, plan, excluded, { verdictOf: (step) => verdicts.get(step.id), proposed });
  note(context, renderReach(plan, app.redactorFor(exact).value(judged), state.workspace, look).join('\n'));
  if (how === 'show') return null;
  if (how === 'safe') {
    if (dangerous.length === 0) return all;
    const reason = 'it has a step that is not safe, and nobody was there to agree';
    return state.options?.onAsk === 'deny' ? { ...all, decision: 'cancel', reason } : null;
  }
  // What came from a file is not planned again.
  // After step by step, all means all again.
  const isTaught = state.options?.mode === 'teacher' && (state.planning?.steppedFrom ?? null) === null;
  const approves = isTaught ? [] : dangerous;
  const choices = (
    how === 'keep' ? keepChoices : plannedChoices({ dangerous: approves.length, isTaught })
  ).filter(({ decision }) => decision !== 'decline' || state.planning !== null);
  for (;;) {
    const asked =
      how === 'keep'
        ? renderAsked('Is this the plan? Nothing is run.', look, choices)
        : renderAgreement(
            {
              steps: open.size,
              workspace: state.workspace,
              dangerous: actionsOf(app.redactorFor(exact).value(approves)),
            },
            choices,
            look,
          );
    note(context, asked.join('\n'));
    const answer = await askKey(context, choices, new AbortController().signal);
    if (typeof answer === 'string') return 'interrupted';
    const { decision } = answer;
    if (decision === 'keep') return null;
    if (decision === 'all') return isTaught ? all : { ...all, approves };
    if (decision === 'asking') return all;
    if (decision === 'step-by-step' || decision === 'cancel') return { ...all, decision };
    const request = decision === 'edit' ? await editWholePlan(context, exact) : await decline(context, state);
    if (request !== null) return request;
  }
}

const isOpen = ({ status }: StepState): boolean => status === 'pending' || status === 'failed';

async function decline(context: Context, state: RunState): Promise<RequestBody | 'interrupted' | null> {
  const { signal } = new AbortController();
  note(context, ' Which step do you not want? Its number, id or title:');
  const named = await askLine(context, signal);
  if (typeof named === 'string') return 'interrupted';
  try {
    const step = state.plan!.steps[findStep(state.plan!, named.text.trim())]!;
    note(context, ` Why not ${JSON.stringify(step.title)}?`);
    const why = await askLine(context, signal);
    if (typeof why === 'string') return 'interrupted';
    const reason = why.text.trim() || 'the person does not want it';
    return { type: 'replan-requested', stepId: step.id, reason };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    note(context, ` ${error.message}`);
    return null;
  }
}
