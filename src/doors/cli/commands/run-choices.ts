import { Mode, OnAskPolicy, OnFailure } from '../../../core/contract/index.ts';
import type { RunChoices } from '../../app/options.ts';
import { type Given, oneOf } from '../command.ts';
import { type Context, isAttended } from '../context.ts';

/** What flags say about a run, wherever its plan comes from. */
export function runChoices(context: Context, given: Given): RunChoices {
  const mode = oneOf(given, 'mode', Mode.options);
  const onAsk = oneOf(given, 'on-ask', OnAskPolicy.options);
  const onInterrupt = oneOf(given, 'on-interrupt', ['rerun', 'skip', 'stop'] as const);
  const onFailure = oneOf(given, 'on-failure', OnFailure.options);
  return {
    attended: isAttended(context),
    ...(mode === undefined ? {} : { mode }),
    ...(onAsk === undefined ? {} : { onAsk }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(onInterrupt === undefined ? {} : { onInterrupt }),
  };
}
