import type { Action, PlanPatch, Step } from '@contract';
import { ask } from '../../../api/ask.ts';
import type { Shown } from '../shown.ts';

/** Asks for another plan, made from the one that is shown. */
export const changePlan = (shown: Shown, patch: PlanPatch): Promise<boolean> =>
  ask(shown.id, {
    type: 'edit-requested',
    baseRevision: shown.run.plan?.revision ?? 0,
    patch,
    reason: 'edited by a person',
  });

/** Asks for the step with another action. It is judged again before it runs. */
export const editStep = (shown: Shown, step: Step, action: Action): Promise<boolean> =>
  changePlan(shown, [{ op: 'replace', stepId: step.id, step: { ...step, action } }]);
