import type { Action, Step } from '@contract';
import { ask } from '../../../api/ask.ts';
import type { Shown } from '../shown.ts';

/** Asks for the step with another action. It is judged again before it runs. */
export const editStep = (shown: Shown, step: Step, action: Action): Promise<boolean> =>
  ask(shown.id, {
    type: 'edit-requested',
    baseRevision: shown.run.plan?.revision ?? 0,
    patch: [{ op: 'replace', stepId: step.id, step: { ...step, action } }],
    reason: 'edited by a person',
  });
