import { OUTSIDE_QUOTES, refused, type TextPlace } from './context.ts';

/** PowerShell takes typographic quotes for quotes. */
const SINGLE = /['\u2018\u2019\u201a\u201b]/;
const DOUBLE = /["\u201c\u201d\u201e]/;

/** Says for each offset (in order) what PowerShell makes of a quoted word put there. */
export function pwshPlaces(text: string, offsets: readonly number[]): TextPlace[] {
  const spans = spansOf(text);
  const code =
    /(?:^|[\s;|&({])(?:iex|invoke-expression|icm|invoke-command)\b|-(?:command|encodedcommand|c|ec)\s/i.exec(
      text,
    );
  return offsets.map((offset) => {
    const span = spans.find((each) => offset >= each.start && offset < each.end);
    if (span?.kind === 'comment') return { kind: 'comment' };
    if (span !== undefined) return refused('it is inside quotes', OUTSIDE_QUOTES);
    if (code !== null && code.index < offset) {
      return refused(
        `\`${code[0].trim()}\` reads its arguments as code`,
        'Give the value to a script file as an argument.',
      );
    }
    if (text[offset - 1] === '`') return refused('a backtick stands before it', 'Leave the backtick out.');
    return { kind: 'word' };
  });
}

interface Span {
  kind: 'quotes' | 'comment';
  start: number;
  end: number;
}

/** Quoted strings, here-strings and comments. One without an end goes to the end of the text. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  const take = (kind: Span['kind'], end: number) => {
    spans.push({ kind, start: at, end });
    at = end;
  };
  while (at < text.length) {
    const char = text[at]!;
    const next = text[at + 1] ?? '';
    if (char === '`') at += 2;
    else if (char === '@' && (SINGLE.test(next) || DOUBLE.test(next)))
      take('quotes', endOfHereString(text, at, next));
    else if (SINGLE.test(char)) take('quotes', endOfQuote(text, at, SINGLE, false));
    else if (DOUBLE.test(char)) take('quotes', endOfQuote(text, at, DOUBLE, true));
    else if (char === '<' && next === '#') take('comment', endAfter(text, '#>', at + 2));
    else if (char === '#' && (at === 0 || /[\s;|&(){}]/.test(text[at - 1]!)))
      take('comment', endAfter(text, '\n', at));
    else at++;
  }
  return spans;
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function endOfQuote(text: string, start: number, quote: RegExp, escapes: boolean): number {
  for (let at = start + 1; at < text.length; at++) {
    if (escapes && text[at] === '`') at++;
    else if (quote.test(text[at]!)) {
      if (at + 1 < text.length && quote.test(text[at + 1]!)) at++;
      else return at + 1;
    }
  }
  return text.length;
}

function endOfHereString(text: string, start: number, quote: string): number {
  const close = SINGLE.test(quote) ? /\n['\u2018\u2019\u201a\u201b]@/g : /\n["\u201c\u201d\u201e]@/g;
  close.lastIndex = start;
  const found = close.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}
