import { type Look, measure, paragraph } from './look.ts';

/** What each row is about stands beside it, where all of that fits, and below it where not. */
export function aboutBelow(rows: readonly { head: string; about: string }[], look: Look): string[] {
  if (rows.every(({ head, about }) => head.length + about.length + 2 <= look.width))
    return rows.map(({ head, about }) => `${head}  ${about}`);
  return rows.flatMap(({ head, about }) => [
    head.trimEnd(),
    ...paragraph(about, measure(look) - 4, look).map((line) => `    ${look.style.dim(line)}`),
  ]);
}
