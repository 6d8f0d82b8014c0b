import type { SafeCheck } from './types.ts';

/**
 * Programs of the shape `tool noun… verb`. A call is safe where its words start with a verb that only reads,
 * every argument is literal, and no option names a file to write, a program to run or another server.
 */
interface Cli {
  /** Words that read. `*` stands for any one word. */
  readonly reads: string;
  /** Options before the verb that take a value. */
  readonly valued?: string;
  /** Options that end the proof. */
  readonly deny?: RegExp;
  /** More words than this after the verb end it too. */
  readonly maxWords?: number;
}

export const writes =
  /^--?(?:out(?:put-(?:file|dir|directory))?|o(?:utfile)?|kubeconfig|config-file|post-renderer|plugin\S*|exec\S*|shell|pager|browser|web|w|endpoint-url|ca-bundle|no-verify-ssl|with-decryption|raw|reveal|show-secrets?|unmask|cli-input-\S+|insecure-skip-tls-verify)(?:=|$)/;

/** Options that, in some tool or other, name a program to run or show a secret. */
const runs =
  /^--?[\w-]*(?:command|exec|ssh|script|plugin|program|pager|hook|editor|python|interpreter|shell|browser|helper)[\w-]*(?:=|$)|_?auth(?:Token)?$|password/i;

export function cli(spec: Cli): SafeCheck {
  const valued = new Set((spec.valued ?? '').split(' ').filter(Boolean));
  const verbs = spec.reads
    .split(/\s*[|\n]\s*/)
    .filter(Boolean)
    .map((line) => line.split(/\s+/));
  const deny = spec.deny ?? writes;
  const isDenied = (value: string): boolean => deny.test(value) || runs.test(value);
  return (command) => {
    if (command.open || command.args.some((arg) => !arg.literal || arg.glob || isDenied(arg.value)))
      return false;
    const words: string[] = [];
    for (let i = 0; i < command.args.length; i++) {
      const value = command.args[i]?.value ?? '';
      if (!value.startsWith('-')) words.push(value);
      else if (valued.has(value)) i++;
      else if (
        words.length === 0 &&
        !/^--?[\w-]+=|^--(?:debug|json|no-input|verbose|quiet|no-color|version|no-pager)$|^-[vqm]$/.test(
          value,
        )
      )
        return false;
    }
    return verbs.some(
      (verb) =>
        verb.every((word, i) => (word === '*' ? words[i] !== undefined : words[i] === word)) &&
        words.length - verb.length <= (spec.maxWords ?? 99),
    );
  };
}
