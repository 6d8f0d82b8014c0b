import { forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash';

/** One word of a command and where it stands in the text. */
export interface WordAt {
  readonly value: string;
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  /** False where the value is only known when the command runs: expansions and globs. */
  readonly literal: boolean;
}

/** One program with its arguments, prefixes such as `sudo` taken off. */
export interface Simple {
  /** The program as written: `./run.sh`, `git`. */
  readonly name: WordAt;
  /** Its last path component. */
  readonly program: string;
  readonly args: readonly WordAt[];
  /** `sudo`, `env`, `time`…, as written before the program. */
  readonly prefixes: readonly string[];
  readonly assignments: readonly string[];
  readonly redirects: readonly { readonly operator: string; readonly target: WordAt }[];
  readonly pos: number;
  readonly end: number;
  /** False inside a pipeline, a list, a loop, a substitution: what comes out of it goes somewhere. */
  readonly alone: boolean;
}

export interface CommandTree {
  readonly text: string;
  readonly simples: readonly Simple[];
  /** The shell could not have read this. */
  readonly broken: boolean;
}

/** Total: text that is no shell gives what could be read of it; a Markdown fence is no shell at all. */
export function readCommand(text: string): CommandTree {
  if (text.includes('```')) return { text, simples: [], broken: true };
  try {
    const script = parse(text);
    const simples: Simple[] = [];
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'Command') {
        const simple = toSimple(node, text);
        if (simple !== null) simples.push(simple);
      }
      forEachChild(node, visit);
    };
    visit(script);
    const alone = simples.length === 1 && simples[0]!.pos === text.search(/\S/);
    return {
      text,
      simples: simples.map((simple) => ({ ...simple, alone })),
      broken: (script.errors?.length ?? 0) > 0,
    };
  } catch {
    return { text, simples: [], broken: true };
  }
}

type CommandSyntax = Extract<SyntaxNode, { type: 'Command' }>;

function toSimple(node: CommandSyntax, text: string): Simple | null {
  if (node.name === undefined) return null;
  const words = [node.name, ...node.args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []))].map(toWord);
  const start = programIndex(words.map((word) => word.value));
  const name = words[start];
  // Inside escaped backticks positions do not belong to this text: such a command is not touched.
  if (name === undefined || words.some((word) => text.slice(word.pos, word.end) !== word.text)) return null;
  return {
    name,
    program: name.value.replace(/\/+$/, '').split('/').at(-1) ?? name.value,
    args: words.slice(start + 1),
    prefixes: words.slice(0, start).map((word) => word.value),
    assignments: node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : [])),
    redirects: node.redirects.flatMap(toRedirect),
    pos: node.pos,
    end: Math.min(node.end, text.length),
    alone: false,
  };
}

function toWord(word: Word): WordAt {
  const literal = (word.parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal')),
  );
  return { value: word.value, text: word.text, pos: word.pos, end: word.end, literal };
}

function toRedirect(redirect: Redirection): { operator: string; target: WordAt }[] {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return [];
  return [{ operator: redirect.operator, target: toWord(redirect.target) }];
}

/** Prefix programs and those of their options that take a value of their own. */
const prefixes: Record<string, RegExp> = {
  sudo: /^-(u|g|C|h|p)$|^--(user|group)$/,
  doas: /^-u$/,
  env: /^-(u|C|S)$/,
  time: /^-(f|o)$/,
  nohup: /^$/,
  command: /^$/,
  exec: /^-a$/,
  nice: /^-n$/,
  stdbuf: /^-[ioe]$/,
  timeout: /^-(s|k)$/,
};

function programIndex(words: readonly string[]): number {
  let at = 0;
  for (;;) {
    const taking = Object.hasOwn(prefixes, words[at] ?? '') ? prefixes[words[at]!] : undefined;
    if (taking === undefined) return at;
    const isTimeout = words[at] === 'timeout';
    let next = at + 1;
    while (next < words.length && (/^-/.test(words[next]!) || /^[A-Za-z_]\w*=/.test(words[next]!))) {
      next += taking.test(words[next]!) ? 2 : 1;
    }
    if (isTimeout) next += 1;
    if (next >= words.length) return at;
    at = next;
  }
}
