import type { Shell } from '../contract/index.ts';

/** The value as one word of the shell, always in single quotes: then nothing in it means anything. */
export function quoteWord(value: string, shell: Shell = 'bash'): string {
  if (shell === 'pwsh') return `'${value.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Text that means the same to every shell, in quotes or not. */
export const isBare = (value: string): boolean => /^[\w@%+=:,./-]*$/.test(value);

/** The value as one word of bash: bare where nothing in it means anything to the shell. */
export const shellWord = (value: string): string =>
  value !== '' && isBare(value) ? value : quoteWord(value);

/** A list of arguments as a command: `bash -lc TEXT` is its text; all else is its words, each as the shell must have it. */
export function argumentsAsText(words: readonly string[]): string {
  const [program = '', flags = '', text] = words;
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flags) && words.length === 3;
  return isShell && text !== undefined ? text : words.map(shellWord).join(' ');
}
