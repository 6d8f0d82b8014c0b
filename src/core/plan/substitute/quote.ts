import type { Shell } from '../../contract/index.ts';

/** The value as one word of the shell, always in single quotes: then nothing in it means anything. */
export function quoteWord(value: string, shell: Shell): string {
  if (shell === 'pwsh') return `'${value.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
  return `'${value.replaceAll("'", "'\\''")}'`;
}
