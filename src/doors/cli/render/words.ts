import { indent, type Look, measure, message } from './look.ts';

/** What a model said, marked as its own: it may be wrong. */
export function renderWords(
  { text, by, cost }: { text: string; by: string; cost: string },
  look: Look,
): string[] {
  const { style } = look;
  return [
    style.dim(` In the words of ${by}, which may be wrong (${cost}):`),
    ...indent(message(text, measure(look) - 4, look), '  '),
  ];
}
