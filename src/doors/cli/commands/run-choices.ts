import { type Config, Mode, OnAskPolicy, OnFailure, Shell } from '../../../core/contract/index.ts';
import type { RunChoices } from '../../app/options.ts';
import { type Given, oneOf } from '../command.ts';
import { type Context, isAttended } from '../context.ts';

/** What flags say about a run, wherever its plan comes from. */
export const runChoices = (context: Context, given: Given): RunChoices => ({
  attended: isAttended(context),
  mode: oneOf(given, 'mode', Mode.options),
  onAsk: oneOf(given, 'on-ask', OnAskPolicy.options),
  onFailure: oneOf(given, 'on-failure', OnFailure.options),
  onInterrupt: oneOf(given, 'on-interrupt', ['rerun', 'skip', 'stop'] as const),
});

/** Whether events are to carry whole plans. */
export const expandsPlan = (given: Given): boolean => oneOf(given, 'expand', ['plan'] as const) === 'plan';

/** The shell that a goal is planned for: as a flag says, or as configured. */
export const shellIn = ({ config }: { config: { values: Pick<Config, 'shell'> } }, given: Given): Shell =>
  oneOf(given, 'shell', Shell.options) ?? config.values.shell;
