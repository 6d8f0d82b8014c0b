/** What is being typed that can be completed: a command at the beginning, or a file after `@`. */
export type Completing =
  | { kind: 'slash'; typed: string; from: number }
  | { kind: 'file'; typed: string; from: number };

/** What stands before the caret; null where nothing is to be completed. */
export function completing(text: string, caret: number): Completing | null {
  const before = text.slice(0, caret);
  if (/^\/[a-z]*$/.test(before)) return { kind: 'slash', typed: before, from: 0 };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  return file === null ? null : { kind: 'file', typed: file[1]!, from: caret - file[1]!.length };
}

/** The text with what was typed replaced, and where the caret is then. A folder is gone into: more follows. */
export function completed(
  text: string,
  caret: number,
  from: number,
  chosen: string,
): { text: string; caret: number } {
  const isFolder = chosen.endsWith('/');
  const after = text.slice(caret);
  const gap = isFolder || after.startsWith(' ') ? '' : ' ';
  return { text: text.slice(0, from) + chosen + gap + after, caret: from + chosen.length + gap.length };
}
