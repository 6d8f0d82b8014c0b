/**
 * Text measured as a terminal shows it: in columns, not in code units. Colour sequences (`ESC [ … m`) take no
 * column and are never cut in two.
 */

const sgr = /\x1b\[[0-9;]*m/y;
const plainAscii = /^[\x20-\x7e]*$/;
/** Latin, punctuation, arrows, lines and shapes: nothing here joins what stands beside it. */
const eachAlone = /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]*$/;
let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character each. Asking takes 10 ms the first time: plain text is not asked about. */
export function* graphemes(text: string): Generator<string> {
  if (eachAlone.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Blocks that are two columns wide whatever the presentation: East Asian Wide and Fullwidth. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18df2],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (grapheme.includes('\ufe0f') || /\p{Emoji_Presentation}/u.test(grapheme)) return 2;
  if (/^[\p{Mn}\p{Me}\p{Cf}]/u.test(grapheme)) return 0;
  return wideBlocks.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

interface Piece {
  text: string;
  width: number;
}

/** The pieces that must not be cut: one grapheme or one colour sequence each. */
function* pieces(text: string): Generator<Piece> {
  let at = 0;
  while (at < text.length) {
    sgr.lastIndex = at;
    const sequence = sgr.exec(text)?.[0];
    if (sequence !== undefined) {
      yield { text: sequence, width: 0 };
      at += sequence.length;
      continue;
    }
    const nextEscape = text.indexOf('\x1b', at + 1);
    const end = nextEscape === -1 ? text.length : nextEscape;
    for (const segment of graphemes(text.slice(at, end))) {
      yield { text: segment, width: graphemeWidth(segment) };
    }
    at = end;
  }
}

export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const piece of pieces(text)) width += piece.width;
  return width;
}

/** The text in at most `width` columns; what is cut off is replaced by the ellipsis, and colours are closed. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (width <= 0) return '';
  if (plainAscii.test(text) && text.length <= width) return text;
  const room = width - displayWidth(ellipsis);
  let kept = '';
  let used = 0;
  let whole = '';
  let painted = false;
  for (const piece of pieces(text)) {
    used += piece.width;
    painted ||= piece.width === 0 && piece.text.startsWith('\x1b');
    if (used > width) {
      const end = room < 0 ? '' : ellipsis;
      return painted ? `${kept}${end}\x1b[0m` : kept + end;
    }
    whole += piece.text;
    if (used <= room) kept = whole;
  }
  return whole;
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text;

/** The longest beginning of the text that takes at most `width` columns, and never less than one grapheme. */
export function takeColumns(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const piece of pieces(text)) {
    used += piece.width;
    if (used > width && taken !== '') break;
    taken += piece.text;
  }
  return taken;
}
