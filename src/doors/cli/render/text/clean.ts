import { stripVTControlCharacters } from 'node:util';

export { visible } from '../../../../core/contract/told/index.ts';

/**
 * Two ways to make text harmless to a terminal. What a child printed is cleaned: nobody decides by it. What a
 * person decides by is made `visible`.
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
