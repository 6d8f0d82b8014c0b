/**
 * A text that needs one byte a character is read, and compared with what was kept when it was compiled, in less time. An escape
 * means the same wherever a character may stand, but in the raw text of a template, which nothing here reads.
 */
export const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
