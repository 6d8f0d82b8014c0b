import {
  type Config,
  type Limits,
  Mode,
  OnAskPolicy,
  OnFailure,
  Shell,
} from '../../../core/contract/index.ts';
import { AppError } from '../../app/errors.ts';
import type { RunChoices } from '../../app/options.ts';
import { type Given, oneOf, wholeNumber } from '../command.ts';
import { type Context, isAttended } from '../context.ts';

/** What flags say about a run, wherever its plan comes from. */
export const runChoices = (context: Context, given: Given): RunChoices => ({
  attended: isAttended(context),
  mode: oneOf(given, 'mode', Mode.options),
  onAsk: oneOf(given, 'on-ask', OnAskPolicy.options),
  onFailure: oneOf(given, 'on-failure', OnFailure.options),
  onInterrupt: oneOf(given, 'on-interrupt', ['rerun', 'skip', 'stop'] as const),
  limits: limitsIn(given),
});

/** Whether events are to carry whole plans. */
export const expandsPlan = (given: Given): boolean => oneOf(given, 'expand', ['plan'] as const) === 'plan';

/** The shell that a goal is planned for: as a flag says, or as configured. */
export const shellIn = ({ config }: { config: { values: Pick<Config, 'shell'> } }, given: Given): Shell =>
  oneOf(given, 'shell', Shell.options) ?? config.values.shell;

/** The limits that flags give. */
export function limitsIn(given: Given): Partial<Limits> {
  const wallTime = wholeNumber(given, 'wall-time');
  const money = given.text('money');
  if (money !== undefined && !(Number(money) >= 0)) {
    throw new AppError('usage', `--money takes an amount in dollars, not ${money}`);
  }
  const raised = {
    retriesPerStep: wholeNumber(given, 'retries'),
    corrections: wholeNumber(given, 'corrections'),
    addedSteps: wholeNumber(given, 'added-steps'),
    tokens: wholeNumber(given, 'tokens'),
    money: money === undefined ? undefined : Number(money),
    wallMs: wallTime === undefined ? undefined : wallTime * 1000,
  };
  return Object.fromEntries(Object.entries(raised).filter(([, value]) => value !== undefined));
}
