/**
 * A placeholder is `{name}` or `{name:03d}` with
 *   - a name of letters, digits and underscores that does not start with a digit,
 *   - no `$`, `{` or `\` right before it (so `${HOME}`, `{{ name }}` and `\{name}` are not touched),
 *   - no `}` right after it.
 * It is replaced only if its name is known. So `{a,b}`, `{1..3}`, `{}`, JSON, awk programs and `@{upstream}` stay.
 */
export interface Placeholder {
  name: string;
  /** Digits to pad a number to, with zeros. */
  pad?: number;
  /** Offsets into the text, end exclusive. */
  start: number;
  end: number;
}

const PATTERN = /(?<![$\\{])\{([A-Za-z_][A-Za-z0-9_]*)(?::0([1-9]\d?)d)?\}(?!\})/g;

/** All placeholders of a text, in order, whatever their names. */
export function findPlaceholders(text: string): Placeholder[] {
  if (!text.includes('{')) return [];
  return [...text.matchAll(PATTERN)].map((match) => ({
    name: match[1]!,
    ...(match[2] !== undefined && { pad: Number(match[2]) }),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

export type Values = Readonly<Record<string, string | number>>;

/** The text that stands for a placeholder, or why there is none. */
export function valueFor(placeholder: Placeholder, values: Values): { text: string } | { refused: string } {
  const value = String(values[placeholder.name]);
  if (value.includes('\0'))
    return { refused: 'its value has a zero byte, which no path and no command can carry' };
  if (placeholder.pad === undefined) return { text: value };
  if (!/^\d+$/.test(value))
    return { refused: `its value is not a number, so it cannot be padded to ${placeholder.pad} digits` };
  return { text: value.padStart(placeholder.pad, '0') };
}

/** Replaces each placeholder by what `replace` gives for it, at once: what is put in is not looked at again. */
export function replaceAt(
  text: string,
  placeholders: readonly Placeholder[],
  replace: (placeholder: Placeholder) => string,
): string {
  let result = '';
  let from = 0;
  for (const placeholder of placeholders) {
    result += text.slice(from, placeholder.start) + replace(placeholder);
    from = placeholder.end;
  }
  return result + text.slice(from);
}
