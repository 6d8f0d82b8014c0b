import type { Choice } from '../../../core/contract/told/index.ts';
import { type Look, measure, paragraph } from './look.ts';
import { displayWidth, padEnd } from './text/width.ts';

/** The key and the margin that choices stand in. */
const BESIDE = 6;
const ENTER = '  Enter';

export function renderChoices(choices: readonly Choice<string>[], look: Look): string[] {
  const { style } = look;
  const longest = Math.max(...choices.map(({ label }) => displayWidth(label)));
  return choices.flatMap((choice) => {
    const room = measure(look) - BESIDE - (choice.default ? ENTER.length : 0);
    const [first = '', ...rest] = paragraph(choice.label, room, look);
    const label = choice.default ? `${padEnd(first, Math.min(longest, room))}${style.dim(ENTER)}` : first;
    return [`${style.strong(choice.key)}  ${label}`, ...rest.map((line) => `   ${line}`)];
  });
}
