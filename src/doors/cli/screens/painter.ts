import { displayWidth } from '../render/text/width.ts';

/**
 * Frames as bytes for a terminal. Between two writes the cursor stays at the beginning of the frame's last
 * line. Lines must fit the terminal, and a frame must be lower than it: then nothing scrolls away.
 */

export interface Size {
  columns: number;
  rows: number;
}

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const eraseRest = '\x1b[K';
const eraseLine = '\x1b[2K';

/** Shown at once where the terminal can, and a line of doubtful width (emoji) never wraps into the next. */
const atOnce = (bytes: string) => (bytes === '' ? '' : `\x1b[?2026h\x1b[?7l${bytes}\x1b[?7h\x1b[?2026l`);

export const hideCursor = '\x1b[?25l';
export const showCursor = '\x1b[?25h';

/**
 * From one frame to the next, touching only the lines that differ. The last line is always written: a `^C` that
 * the terminal echoed stands there.
 */
export function repaint(before: readonly string[], after: readonly string[], size: Size): string {
  if (after.length === 0) return erase(before, size);
  let bytes = `\r${up(before.length - 1)}`;
  for (const [row, line] of after.entries()) {
    if (row > 0) bytes += '\r\n';
    const last = row === after.length - 1;
    if (line !== before[row] || last) bytes += line + (displayWidth(line) < size.columns ? eraseRest : '');
  }
  const over = before.length - after.length;
  if (over > 0) bytes += `\r\n${eraseLine}`.repeat(over) + up(over);
  return atOnce(`${bytes}\r`);
}

/** Takes the frame away and leaves the cursor where it began, whatever width it was painted at. */
export function erase(before: readonly string[], { columns, rows }: Size): string {
  if (before.length === 0) return '';
  const heights = before.map((line) => rowsOf(line, columns));
  const above = Math.min(sum(heights.slice(0, -1)), rows - 1);
  const height = Math.min(sum(heights), rows);
  // Line by line: erasing all that is below makes some terminals keep a copy in their scrollback.
  const blank = eraseLine + `\r\n${eraseLine}`.repeat(height - 1);
  return atOnce(`\r${up(above)}${blank}${up(height - 1)}`);
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** A terminal that became narrower breaks the lines that it already shows. */
const rowsOf = (line: string, columns: number) =>
  Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns)));
