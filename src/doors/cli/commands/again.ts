import type { RunState } from '../../../core/contract/index.ts';
import { count } from '../../../core/contract/told/index.ts';
import { AppError } from '../../app/errors.ts';
import { findStep } from '../../app/find-step.ts';
import { readInputs } from '../../app/inputs.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { isAttended, note } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { withApp } from '../with-app.ts';
import { startAndAttend } from './run.ts';
import { runChoices } from './run-choices.ts';

/** Makes a new run of a run's plan: the whole of it, or from a step on. */
export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [named] = atMost(given, 1);
      const { id } = await meantRun(app, context, given, named);
      const state = await app.runs.state(id);
      const from = beginning(state, given);
      const fresh = await app.runs.again(id, { stepId: from });
      const left = fresh.options.excluded?.length ?? 0;
      // Which run it is stands nowhere else, and what that one left out is left out again.
      if (named === undefined || left > 0)
        note(
          context,
          `This is run ${id} again${left === 0 ? '' : `, without ${count(left, 'step')} of its plan`}.`,
        );
      const choice = {
        ...runChoices(context, given),
        mode: runChoices(context, given).mode ?? fresh.options.mode,
        excluded: [...(fresh.options.excluded ?? [])],
        inputs: { ...fresh.options.inputs, ...readInputs(fresh.plan, given.list('set')) },
      };
      const isAsked = isAttended(context) && !given.flag('json') && !given.flag('yes');
      return startAndAttend(app, context, fresh.plan, choice, given, { isAsked, from: fresh });
    }),
};

/** The id of the step that it begins at; undefined for all of them. */
function beginning(state: RunState, given: Given): string | undefined {
  const named = given.text('from');
  if (state.plan === null) throw new AppError('no-plan', 'the run has no plan to run again');
  if (named === undefined && given.usage.startsWith('fork'))
    throw new AppError('usage', `usage: planwright ${given.usage}`);
  if (named !== undefined) return state.plan.steps[findStep(state.plan, named)]!.id;
  if (!given.flag('from-failed')) return undefined;
  const failed = state.steps.find(({ status }) => status === 'failed' || status === 'interrupted');
  if (failed === undefined) throw new AppError('no-such-step', 'no step of this run has failed');
  return failed.id;
}
