/** What a person decides by (titles, actions, paths) keeps every character: one that cannot be seen is spelled out. */

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const joiner = '\u200d';
const spelled: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line in which nothing hides: control and direction characters are written as escapes. */
export const visible = (text: string): string => spell(text, joiner);

/** The same for text that has lines of its own. */
export const visibleLines = (text: string): string => spell(text, `${joiner}\n\t`);

const spell = (text: string, kept: string): string =>
  text.toWellFormed().replace(unseen, (char) => {
    if (kept.includes(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    return spelled[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
  });

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
