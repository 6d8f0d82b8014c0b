import { displayWidth, takeColumns } from './width.ts';

/** Between words, but not between a number and what it counts: `5.5 s`. */
const GAPS = /((?<!\d) +| +(?!(?:ms|s|min|h|kB|MB|GB|%)(?!\w)))/;

/**
 * The text in lines of at most `width` columns, broken between words; a word that is longer than a line is
 * broken inside. Nothing is left out but the spaces at a break. The text must not be painted.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let gap = '';
  for (const part of text.split(GAPS)) {
    if (part.startsWith(' ')) {
      gap = part;
      continue;
    }
    if (displayWidth(line + gap + part) <= width) {
      line += gap + part;
    } else {
      if (line !== '') lines.push(line);
      const broken = wrapExactly(part, width);
      lines.push(...broken.slice(0, -1));
      line = broken.at(-1) ?? '';
    }
    gap = '';
  }
  return [...lines, line];
}

/** Broken exactly at the width, every character kept: for what a person approves to the letter. */
export function wrapExactly(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (displayWidth(rest) > width) {
    const head = takeColumns(rest, width);
    if (head === rest) break;
    lines.push(head);
    rest = rest.slice(head.length);
  }
  return [...lines, rest];
}
