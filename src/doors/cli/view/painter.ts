import { displayWidth } from './text/width.ts';

/**
 * Frames as bytes for a terminal. Between two writes the cursor stays at the beginning of the frame's last
 * line. Lines must fit the terminal, and a frame must be lower than it: then nothing scrolls away.
 */

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const eraseLine = '\x1b[K';
const eraseDown = '\x1b[J';

/** Shown at once where the terminal can, and a line of doubtful width (emoji) never wraps into the next. */
const atOnce = (bytes: string) => (bytes === '' ? '' : `\x1b[?2026h\x1b[?7l${bytes}\x1b[?7h\x1b[?2026l`);

export const hideCursor = '\x1b[?25l';
export const showCursor = '\x1b[?25h';

/**
 * From one frame to the next, touching only the lines that differ. The last line is always written: a `^C` that
 * the terminal echoed stands there.
 */
export function repaint(before: readonly string[], after: readonly string[], columns: number): string {
  if (after.length === 0) return erase(before, columns);
  let bytes = `\r${up(before.length - 1)}`;
  for (const [row, line] of after.entries()) {
    if (row > 0) bytes += '\r\n';
    const last = row === after.length - 1;
    if (line !== before[row] || last) bytes += line + (displayWidth(line) < columns ? eraseLine : '');
  }
  if (before.length > after.length) bytes += `\r\n${eraseDown}${up(1)}`;
  return atOnce(`${bytes}\r`);
}

/** Takes the frame away and leaves the cursor where it began, whatever width it was painted at. */
export function erase(before: readonly string[], columns: number): string {
  if (before.length === 0) return '';
  const rows = before.reduce((sum, line) => sum + rowsOf(line, columns), 0);
  return atOnce(`\r${up(rows - rowsOf(before.at(-1) ?? '', columns))}${eraseDown}`);
}

/** A terminal that became narrower breaks the lines that it already shows. */
const rowsOf = (line: string, columns: number) =>
  Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns)));
