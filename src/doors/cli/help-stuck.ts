import type { RunState } from '../../core/contract/index.ts';
import { moreAttempts, parseModelName, printModelName, type RequestBody } from '../../core/contract/index.ts';
import { type Help, helpWanted, stuckChoices } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { askKey, askLine, type NoAnswer } from './ask.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { edited } from './put-question.ts';
import { renderStuck } from './render/failure.ts';

/**
 * After a step has failed and nobody mends it, or the brain has given it up: asks the person there and then. Empty: they
 * leave the run as it is.
 */
export async function helpStuck(
  app: App,
  context: Context,
  id: string,
  shown: RunState,
  signal: AbortSignal,
): Promise<RequestBody[] | 'withdrawn'> {
  const help = helpWanted(shown);
  if (help?.kind !== 'stuck') return [];
  const brain = shown.options?.mode === 'agentic';
  const models = brain ? await modelNames(app) : [];
  const means = { brain, models: models.length > 0 };
  for (;;) {
    note(context, renderStuck(help, shown, means, lookOf(context, 'stderr')).join('\n'));
    const answer = await askKey(context, stuckChoices(means), signal);
    if (answer === 'withdrawn') return answer;
    if (answer === 'interrupted' || answer.decision === 'leave') return [];
    const asked = await requestsFor(answer.decision, { app, context, id, help, models, signal });
    if (asked === 'withdrawn') return asked;
    if (asked === 'interrupted') return [];
    if (asked !== null) return asked;
  }
}

interface Desk {
  app: App;
  context: Context;
  id: string;
  help: Help;
  models: readonly string[];
  signal: AbortSignal;
}

type Decision = Exclude<ReturnType<typeof stuckChoices>[number]['decision'], 'leave'>;

/** Null: nothing came of it, and the question is put again. */
async function requestsFor(decision: Decision, desk: Desk): Promise<RequestBody[] | NoAnswer | null> {
  const { app, context, id, help, models, signal } = desk;
  const { stepId } = help;
  const exact = await app.runs.state(id);
  const limits = moreAttempts(exact.options!.limits);
  switch (decision) {
    case 'hint': {
      note(context, ' What does the brain not know?');
      const answer = await askLine(context, signal);
      if (typeof answer === 'string') return answer;
      const text = answer.text.trim();
      return text === '' ? null : [{ type: 'hint-requested', stepId, text }];
    }
    case 'edit': {
      const edit = edited(context, exact, stepId);
      return edit === null ? null : [edit, { type: 'resume-requested' }];
    }
    case 'skip':
      return [{ type: 'skip-requested', stepId }];
    case 'retry':
      return [{ type: 'retry-requested', stepId }];
    case 'more':
      return [{ type: 'resume-requested', limits }];
    case 'model': {
      note(context, ` Which one? ${models.join(', ')}`);
      const answer = await askLine(context, signal);
      if (typeof answer === 'string') return answer;
      const brain = parseModelName(answer.text);
      if (brain !== null) return [{ type: 'resume-requested', brain, limits }];
      note(context, ' A model is named PROVIDER/MODEL.');
      return null;
    }
    case 'abort':
      return [{ type: 'cancel-requested', reason: 'given up at the terminal' }];
  }
}

/** Those that could be asked here, the ones of the chain first. */
async function modelNames(app: App): Promise<string[]> {
  const models = await app.models();
  const [chain, found] = await Promise.all([models.chainOf('brain'), models.list()]);
  const served = found
    .filter(({ isUsable }) => isUsable)
    .flatMap(({ provider, models: of }) => of.brain.map((model) => printModelName({ provider, model })));
  return [...new Set([...chain.map(printModelName), ...served])];
}
