import { visible } from './clean.ts';
import { displayWidth, graphemes } from './width.ts';

/** A stretch of a line, marked or not. */
export interface Stretch {
  text: string;
  marked: boolean;
}

/**
 * Text to the letter in lines of at most `width` columns, split where marks begin and end. Spans are offsets
 * into the text, end exclusive. Line breaks of the text are kept; all else that cannot be seen is spelled out.
 */
export function markedLines(
  text: string,
  spans: readonly (readonly [number, number])[],
  width: number,
): Stretch[][] {
  const lines: Stretch[][] = [[]];
  let used = 0;
  let end = 0;
  for (const segment of graphemes(text)) {
    const index = end;
    end += segment.length;
    if (segment === '\n' || segment === '\r\n') {
      if (segment === '\r\n') add(lines, '\\r', false);
      lines.push([]);
      used = 0;
      continue;
    }
    const shown = visible(segment);
    used += displayWidth(shown);
    if (used > width && lines.at(-1)!.length > 0) {
      lines.push([]);
      used = displayWidth(shown);
    }
    add(
      lines,
      shown,
      spans.some(([from, to]) => index >= from && index < to),
    );
  }
  return lines;
}

function add(lines: Stretch[][], text: string, marked: boolean): void {
  const line = lines.at(-1)!;
  const last = line.at(-1);
  if (last?.marked === marked) last.text += text;
  else line.push({ text, marked });
}
