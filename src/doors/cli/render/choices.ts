import type { Choice } from '../../../core/contract/told/index.ts';
import { type Look, measure } from './look.ts';
import { displayWidth, padEnd } from './text/width.ts';

export function renderChoices(choices: readonly Choice<string>[], look: Look): string[] {
  const { style } = look;
  return choices.map((choice) => {
    const enter = choice.default ? `  ${style.dim('Enter')}` : '';
    const longest = Math.max(...choices.map(({ label }) => displayWidth(label)));
    const label = choice.default ? padEnd(choice.label, Math.min(longest, measure(look) - 16)) : choice.label;
    return `${style.strong(choice.key)}  ${label}${enter}`;
  });
}
