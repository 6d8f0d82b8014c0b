import { stripVTControlCharacters } from 'node:util';

/**
 * Two ways to make text harmless to a terminal. What a child printed is cleaned: nobody decides by it. What a
 * person decides by (titles, actions, paths) keeps every character: one that cannot be seen is spelled out.
 */

/** More of one line is never looked at: no terminal is that wide. */
const longestLine = 4096;

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const joiner = '\u200d';

/** One line of a child's output: its colours and cursor moves gone, an overprinted line as it ended. */
export function cleanOutput(raw: string): string {
  let end = raw.length;
  while (raw[end - 1] === '\r') end -= 1;
  const begin = raw.lastIndexOf('\r', end - 1) + 1;
  const shown = raw.slice(end === 0 ? 0 : begin, Math.min(end, begin + longestLine));
  return expandTabs(stripVTControlCharacters(shown).toWellFormed())
    .replace(unseen, (char) => (char === joiner ? char : ''))
    .trimEnd();
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  return line.split('\t').reduce((before, part) => before + ' '.repeat(8 - (before.length % 8)) + part);
}

const spelled: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line in which nothing hides: control and direction characters are written as escapes. */
export function visible(text: string): string {
  return text.toWellFormed().replace(unseen, (char) => {
    if (char === joiner) return char;
    const code = char.codePointAt(0) ?? 0;
    return spelled[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
  });
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
