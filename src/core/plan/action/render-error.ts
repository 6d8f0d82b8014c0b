import type { ActionError } from './scan.ts';

const WIDTH = 100;

/**
 * The line with a caret under what is wrong, then the message and the mend:
 *
 *     RUN_COMAND npm test
 *     ^
 *     `RUN_COMAND` is not an action. Did you mean `RUN_COMMAND`?
 *
 * A long line is shown around the caret. Control characters are shown as pictures, so that nothing in a
 * plan can move the cursor of the person who reads the error.
 */
export function renderActionError(line: string, error: ActionError): string {
  const start = Math.max(0, error.position - WIDTH / 2);
  const end = Math.min(line.length, start + WIDTH);
  const before = start > 0 ? '…' : '';
  const after = end < line.length ? '…' : '';
  const shown = before + visible(line.slice(start, end)) + after;
  const indent = ' '.repeat(before.length + (error.position - start));
  return `${shown}\n${indent}^\n${error.message} ${error.mend}`;
}

/** One visible character for each control character. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
  });
}
