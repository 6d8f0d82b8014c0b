import { shellText } from '../../../core/contract/index.ts';
import { readCommand } from '../../../core/shell/index.ts';
import type { Failure } from '../brain.ts';

/**
 * What makes two failures the same: the programs and verbs of the command, and its message with paths, numbers, hashes,
 * times and the command's own words abstracted. `words` are what was abstracted, in the order of the command, so that a
 * fix can be told in terms of them.
 */
export interface Signature {
  readonly key: string;
  readonly words: readonly string[];
}

const MAX_LINES = 6;

/** Null for steps that run no command, and for failures that say nothing. */
export function signatureOf(failure: Failure): Signature | null {
  const command = shellText(failure.step.action);
  if (command === null) return null;
  const tree = readCommand(command);
  const words = [
    ...new Set(
      tree.simples.flatMap(({ name, args, redirects }) =>
        [...(name.value.includes('/') ? [name] : []), ...args, ...redirects.map(({ target }) => target)]
          .filter((word) => word.literal && isVariable(word.value))
          .map(({ value }) => value),
      ),
    ),
  ];
  const shape = tree.simples.map(({ name, program, args }) =>
    [
      placeholderOf(name.value, words) ?? program,
      ...args.map(({ value }) => placeholderOf(value, words) ?? value),
    ].join(' '),
  );
  const said = abstract(failure.result.stderrTail || failure.result.stdoutTail, words);
  if (shape.length === 0 || said === '') return null;
  return { key: `${shape.join(' ; ')}\n${failure.result.exitCode ?? ''}\n${said}`, words };
}

/** Words that differ from one use to the next: names, paths, values. Verbs and flags are the shape of the command. */
export function isVariable(value: string): boolean {
  if (value.startsWith('-') || value === '') return false;
  return /[/.:@=\d]/.test(value) || value.length > 24;
}

const placeholderOf = (value: string, words: readonly string[]): string | null => {
  const at = words.indexOf(value);
  return at < 0 ? null : `<${at + 1}>`;
};

/** Lines that say nothing of what went wrong: frames, marks below a line, progress, closing brackets, versions. */
const isNoise = (line: string): boolean =>
  /^(?:at |\d+%|warning:|node:internal|Node\.js v)|^[\^~{}()[\],;]+$|^throw \w+;$/i.test(line);

function abstract(output: string, words: readonly string[]): string {
  let text = output;
  for (const [at, word] of [...words.entries()].sort(([, a], [, b]) => b.length - a.length)) {
    text = text.replaceAll(word, `<${at + 1}>`);
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isNoise(line))
    .slice(-MAX_LINES)
    .join('\n')
    .replace(/\b\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '<time>')
    .replace(/\b[0-9a-f]{7,64}\b/gi, '<hash>')
    .replace(/(?<![\w<])(?:~|\.{1,2})?\/[\w@%+=:,./~-]+/g, '<path>')
    .replace(/(?<![\w<])\d+(?:\.\d+)*/g, '<n>');
}
