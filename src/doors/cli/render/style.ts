import { asciiGlyphs, type Glyphs, unicodeGlyphs } from './glyphs.ts';

type Paint = (text: string) => string;

/** How the terminal view looks on one stream. Colours are named by the state that they mean. */
export interface Style {
  color: boolean;
  /** False: only ASCII, because the terminal or its locale shows nothing else. */
  unicode: boolean;
  glyphs: Glyphs;
  /** Green. */
  done: Paint;
  /** Yellow: waits for a person. */
  waiting: Paint;
  /** Red. */
  failed: Paint;
  /** Magenta: changed by the machine, and nothing else. */
  changed: Paint;
  dim: Paint;
  strong: Paint;
  underline: Paint;
}

export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  env: TerminalEnvironment;
  isTTY: boolean;
}

export function createStyle(terminal: Terminal): Style {
  const color = wantsColor(terminal);
  const unicode = wantsUnicode(terminal);
  const paint = (open: number, close: number): Paint =>
    color ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text;
  return {
    color,
    unicode,
    glyphs: unicode ? unicodeGlyphs : asciiGlyphs,
    done: paint(32, 39),
    waiting: paint(33, 39),
    failed: paint(31, 39),
    changed: paint(35, 39),
    dim: paint(2, 22),
    strong: paint(1, 22),
    underline: paint(4, 24),
  };
}

/** Whether the live view can be drawn: a terminal that can move its cursor. */
export const isLiveTerminal = ({ env, isTTY }: Terminal): boolean => isTTY && env['TERM'] !== 'dumb';

/** FORCE_COLOR over NO_COLOR, as Node does it; then a terminal that is not dumb. */
function wantsColor({ env, isTTY }: Terminal): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return isTTY && env['TERM'] !== 'dumb';
}

/** The locale's character set, by the order of POSIX: LC_ALL, LC_CTYPE, LANG. */
function wantsUnicode({ env }: Terminal): boolean {
  if (env['TERM'] === 'dumb') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}
