import {
  type Command,
  commandAt,
  eachNode,
  isFixed,
  parseBash,
  programName,
  type Redirection,
  type Word,
} from '../../../core/shell/index.ts';

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
  const parsed = text.includes('```') ? { why: 'a fence' } : parseBash(text);
  if ('why' in parsed) return { text, simples: [], broken: true };
  const simples: Simple[] = [];
  eachNode(parsed.script, (node) => {
    const simple = node.type === 'Command' ? toSimple(node, text) : null;
    if (simple !== null) simples.push(simple);
  });
  const alone = simples.length === 1 && simples[0]!.pos === text.search(/\S/);
  return {
    text,
    simples: simples.map((simple) => ({ ...simple, alone })),
    broken: (parsed.script.errors?.length ?? 0) > 0,
  };
}

function toSimple(node: Command, text: string): Simple | null {
  if (node.name === undefined) return null;
  const words = [node.name, ...node.args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []))].map(toWord);
  const start = commandAt(words.map((word) => word.value));
  const name = words[start];
  // Inside escaped backticks positions do not belong to this text: such a command is not touched.
  if (name === undefined || words.some((word) => text.slice(word.pos, word.end) !== word.text)) return null;
  return {
    name,
    program: programName(name.value.replace(/\/+$/, '')),
    args: words.slice(start + 1),
    prefixes: words.slice(0, start).map((word) => word.value),
    assignments: node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : [])),
    redirects: node.redirects.flatMap(toRedirect),
    pos: node.pos,
    end: Math.min(node.end, text.length),
    alone: false,
  };
}

const toWord = (word: Word): WordAt => ({
  value: word.value,
  text: word.text,
  pos: word.pos,
  end: word.end,
  literal: isFixed(word),
});

function toRedirect(redirect: Redirection): { operator: string; target: WordAt }[] {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return [];
  return [{ operator: redirect.operator, target: toWord(redirect.target) }];
}
