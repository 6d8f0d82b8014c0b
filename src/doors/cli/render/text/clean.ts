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

/** Escapes that set a colour or the like; all others move, hide, rename or ask something of the terminal. */
const escapes =
  /\x1b(?:\[([0-9;:]*)m|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/g;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g;
const unfinished = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;
/** Longer is no escape that anybody meant. */
const longestEscape = 4096;

/** Output for a terminal, piece by piece: lines and colours as they are, and nothing else that it would obey. */
export function onlyColours(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder();
  let held = '';
  return (bytes) => {
    const text = held + decoder.decode(bytes, { stream: true });
    // One that is cut in two is waited for; at the end it is dropped.
    const begun = unfinished.exec(text)?.index ?? text.length;
    const whole = text.length - begun > longestEscape ? text.length : begun;
    held = text.slice(whole);
    return text
      .slice(0, whole)
      .replace(escapes, (found, colour: string | undefined) => (colour === undefined ? '' : found))
      .replace(controls, '')
      .replaceAll(/\x1b(?!\[[0-9;:]*m)/g, '');
  };
}
