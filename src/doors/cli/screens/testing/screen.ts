/**
 * A terminal screen in memory: as much of one as the live view uses. Refuses what it does not know, so that the
 * view cannot come to rely on more.
 */
export interface Screen {
  write(text: string): void;
  /** All that was ever shown and not overwritten, scrollback first; no trailing blank lines. */
  lines(): string[];
  readonly cursorVisible: boolean;
  /** How many lines have left the screen at its top. */
  readonly scrolled: number;
}

const token = /\x1b\[(\??\d*)([A-Za-z])|\r|\n|[^\x1b\r\n]+/gy;

/** One column a code unit: for tests with narrow text. */
export function createScreen(rows: number): Screen {
  const lines: string[] = [''];
  let top = 0;
  let row = 0;
  let column = 0;
  let cursorVisible = true;
  const down = () => {
    row += 1;
    if (row === lines.length) lines.push('');
    if (row - top >= rows) top += 1;
  };
  const put = (text: string) => {
    const line = (lines[row] ?? '').padEnd(column);
    lines[row] = line.slice(0, column) + text + line.slice(column + text.length);
    column += text.length;
  };
  const control = (argument: string, final: string) => {
    if (final === 'A') row = Math.max(top, row - Number(argument || 1));
    else if (final === 'K') lines[row] = argument === '2' ? '' : (lines[row] ?? '').slice(0, column);
    else if (argument === '?25') cursorVisible = final === 'h';
    else if (final !== 'm' && argument !== '?7' && argument !== '?2026')
      throw new Error(`unknown: ${argument}${final}`);
  };
  return {
    write(text) {
      let read = 0;
      for (const match of text.matchAll(token)) {
        read += match[0].length;
        if (match[0] === '\r') column = 0;
        else if (match[0] === '\n') down();
        else if (match[2] !== undefined) control(match[1] ?? '', match[2]);
        else put(match[0]);
      }
      if (read !== text.length) throw new Error(`not understood: ${JSON.stringify(text.slice(read))}`);
    },
    lines: () => {
      const shown = lines.map((line) => line.trimEnd());
      return shown.slice(0, shown.findLastIndex((line) => line !== '') + 1);
    },
    get cursorVisible() {
      return cursorVisible;
    },
    get scrolled() {
      return top;
    },
  };
}
