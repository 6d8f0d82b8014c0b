import { envWords, type Verdict } from '../contract/index.ts';
import { quoteWord } from '../shell/index.ts';
import { judgeCommand } from './judge.ts';
import type { JudgeContext } from './types.ts';

/** Said of every step that its plan gives variables to: what they are is part of what a person decides on. */
export const OWN_ENVIRONMENT = 'own-environment';

/**
 * The variables that a plan gives to one step, as the shell text that would do the same: judged as part of it, they have
 * the risk that they have in a command. Empty where there are none.
 */
export function settingText({ env = {}, shell = 'bash' }: JudgeContext): string {
  const set = Object.entries(env).map(([name, value]) =>
    shell === 'pwsh' ? `$env:${name} = ${quoteWord(value, 'pwsh')}` : `export ${name}=${quoteWord(value)}`,
  );
  return set.map((line) => `${line}\n`).join('');
}

/** Judges shell text with the variables that it would run with; places in the text are its own. Never throws. */
export function judgeWithEnvironment(text: string, context: JudgeContext): Verdict {
  const before = settingText(context);
  if (before === '' || context.env === undefined) return judgeCommand(text, context);
  const verdict = judgeCommand(before + text, context);
  const reasons = verdict.reasons.map(({ span, ...reason }): Verdict['reasons'][number] =>
    span === undefined || span[0] < before.length
      ? reason
      : { ...reason, span: [span[0] - before.length, span[1] - before.length] },
  );
  const sentence = `Runs with ${envWords(context.env)}.`;
  return { ...verdict, reasons: [...reasons, { rule: OWN_ENVIRONMENT, level: verdict.level, sentence }] };
}
