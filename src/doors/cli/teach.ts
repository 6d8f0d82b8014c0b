import type { RequestBody, RunState } from '../../core/contract/index.ts';
import { failureChoices } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { withWords } from './in-words.ts';
import { lookOf } from './look-of.ts';
import { edited } from './put-question.ts';
import { renderFailure } from './render/failure.ts';

/**
 * Teacher mode, after a step has failed: shows what the brain makes of it, and what it would do. Nothing of that is
 * done unless the person says so. Empty: they leave the run as it is.
 */
export async function teachFailure(
  app: App,
  context: Context,
  id: string,
  shown: RunState,
  signal: AbortSignal,
): Promise<RequestBody[]> {
  const exact = await app.runs.state(id);
  const advice = await app.adviseOn(id, exact);
  if (advice === null) return [];
  const { stepId, correction, requests } = advice;
  const told = requests === null ? null : app.redactorFor(exact).value(correction);
  note(context, renderFailure(stepId, shown, told, lookOf(context, 'stderr')).join('\n'));
  const about = { what: 'failure', stepId, proposed: told } as const;
  const answer = await withWords(app, context, { id, state: exact, about }, () =>
    askKey(context, failureChoices(told), signal),
  );
  if (typeof answer === 'string') return [];
  switch (answer.decision) {
    case 'apply':
      return requests ?? [];
    case 'edit': {
      const edit = edited(context, exact, stepId);
      return edit === null ? [] : [edit, { type: 'resume-requested' }];
    }
    case 'retry':
      return [{ type: 'retry-requested', stepId }];
    case 'skip':
      return [{ type: 'skip-requested', stepId }];
    case 'did-it':
      return [{ type: 'step-decided', stepId, decision: 'did-it' }];
    case 'leave':
      return [];
  }
}
