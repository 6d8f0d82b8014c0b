/**
 * What a shell would make of a quoted word put at a place of a command.
 *   word     one word, whatever is in it
 *   comment  nothing: the place is in a comment, and is left as it is
 *   refused  anything else; the sentence says why
 */
export type TextPlace =
  | { kind: 'word' }
  | { kind: 'comment' }
  | { kind: 'refused'; why: string; mend: string };

export const refused = (why: string, mend: string): TextPlace => ({ kind: 'refused', why, mend });

export const OUTSIDE_QUOTES = 'Write it outside of quotes: it becomes one word, whatever is in it.';
