import { type ParsedScript, parse } from 'unbash';

const MAX_LENGTH = 1_000_000;
const MAX_BRACES_IN_A_WORD = 500;
const MAX_DEPTH = 100;

/**
 * The tree of a bash script, or why there is none; a tree has `errors` where the grammar could not read all of it.
 * Never throws. Texts on which the parser takes time that grows with the square of their length are not given to it.
 */
export function parseBash(text: string): { script: ParsedScript } | { why: string } {
  if (text.length > MAX_LENGTH) return { why: 'the script is too long to be checked' };
  if (nestsTooDeeply(text)) return { why: 'the script nests too deeply to be checked' };
  try {
    return { script: parse(text) };
  } catch {
    return { why: 'this cannot be read as bash' };
  }
}

/** The tree of a script that the grammar read to its end; null otherwise. */
export function parseWhole(text: string): ParsedScript | null {
  const parsed = parseBash(text);
  return 'script' in parsed && !parsed.script.errors?.length ? parsed.script : null;
}

/** Brackets and braces open within each other, and braces in one word, quotes or not: more than anybody means. */
function nestsTooDeeply(text: string): boolean {
  let [inWord, braces, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        if (++inWord > MAX_BRACES_IN_A_WORD || ++braces > MAX_DEPTH) return true;
        break;
      case 0x7d: // }
        if (braces > 0) braces--;
        break;
      case 0x28: // (
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x29: // )
        if (depth > 0) depth--;
        break;
      case 0x20:
      case 0x0a:
      case 0x09:
        inWord = 0;
        break;
      default:
    }
  }
  return false;
}
