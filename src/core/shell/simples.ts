import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word } from 'unbash';
import { commandAt, isFixed } from './commands.ts';
import { enter, movesShell, worksIn } from './folder.ts';
import { isShell, shellCall } from './interpreters.ts';
import { parseBash } from './parse.ts';
import { programName } from './started.ts';

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
  /** Where it runs, from where the whole text does: after `cd sub &&` it is `sub`; null where nobody can say. */
  readonly folder: string | null;
  /** When it fails, the whole text does. False before `;` and `|`, behind `!` and `&`, and where `||` catches it. */
  readonly decides: boolean;
}

export interface CommandTree {
  readonly text: string;
  /** In the order in which they stand, those inside `bash -c '…'` too. */
  readonly simples: readonly Simple[];
  readonly functions: readonly string[];
  /** The shell could not have read this. */
  readonly broken: boolean;
}

/** Total: text that is no shell gives what could be read of it; a Markdown fence is no shell at all. */
export function readCommand(text: string): CommandTree {
  const found: Found = { text, simples: [], functions: [], stops: false };
  const broken = !readInto(found, text, { folder: '', decides: true });
  const [first] = found.simples;
  const alone = found.simples.length === 1 && first!.pos === text.search(/\S/);
  return {
    text,
    simples: found.simples.map((simple) => ({ ...simple, alone })),
    functions: found.functions,
    broken,
  };
}

interface Found {
  readonly text: string;
  readonly simples: Simple[];
  readonly functions: string[];
  /** `set -e` was said: from there on everything decides that nobody asks about. */
  stops: boolean;
}

interface Place {
  readonly folder: string | null;
  readonly decides: boolean;
}

const MAX_NESTED = 3;

/** Reads text that begins `shift` characters into the whole; false where the shell could not. */
function readInto(found: Found, text: string, place: Place, shift = 0, depth = 0): boolean {
  const parsed = text.includes('```') ? { why: 'a fence' } : parseBash(text);
  if ('why' in parsed) return false;
  list(parsed.script.commands, place);
  return (parsed.script.errors?.length ?? 0) === 0;

  /** One after the other: the last decides, and all do once `set -e` was said. Answers where it leaves the shell. */
  function list(nodes: readonly SyntaxNode[], { folder, decides }: Place): string | null {
    let here = folder;
    for (const [at, each] of nodes.entries()) {
      const isLast = at === nodes.length - 1;
      here = node(each, { folder: here, decides: decides && (isLast || found.stops) });
    }
    return here;
  }

  /** Reads what is below a node; answers with the folder that the shell is in after it. */
  function node(each: SyntaxNode, at: Place): string | null {
    const { folder } = at;
    const aside = { folder, decides: false };
    switch (each.type) {
      case 'Statement': {
        const after = node(each.command, each.background === true ? aside : at);
        return each.background === true ? folder : after;
      }
      case 'CompoundList':
        return list(each.commands, at);
      case 'AndOr':
        return andOr(each.commands, each.operators, at);
      case 'Pipeline': {
        const negated = each.prefixes.some(({ type }) => type === 'Negation');
        const after = each.commands.map((command, index) =>
          node(command, {
            folder,
            decides: at.decides && !negated && index === each.commands.length - 1,
          }),
        );
        return after.length === 1 ? after[0]! : folder;
      }
      case 'Subshell':
        list(each.body.commands, at);
        return folder;
      case 'BraceGroup':
        return list(each.body.commands, at);
      case 'If': {
        const asked = list(each.clause.commands, aside);
        for (const { clause } of each.elif) list(clause.commands, { ...aside, folder: asked });
        const bodies = [each.then, ...each.elif.map(({ then }) => then), ...(each.else ? [each.else] : [])];
        return join(asked, ...bodies.map(({ commands }) => list(commands, { ...at, folder: asked })));
      }
      case 'While':
        list(each.clause.commands, aside);
        return join(folder, list(each.body.commands, at));
      case 'For':
      case 'Select':
      case 'ArithmeticFor':
        below(each, aside, each.body);
        return join(folder, list(each.body.commands, at));
      case 'Case':
        return join(folder, ...each.items.map(({ body }) => list(body.commands, at)));
      case 'Redirected':
        below(each, aside, each.command);
        return node(each.command, at);
      case 'Function':
        found.functions.push(each.name.value);
        below(each, { folder: null, decides: false });
        return folder;
      case 'Command':
        return command(each, at);
      default:
        below(each, aside);
        return folder;
    }
  }

  function andOr(nodes: readonly SyntaxNode[], operators: readonly string[], at: Place): string | null {
    let here = at.folder;
    for (const [index, each] of nodes.entries()) {
      const or = operators.indexOf('||', index);
      const isCaught = or >= 0 && !alwaysFails(nodes[or + 1]!);
      const after = node(each, { folder: here, decides: at.decides && !isCaught });
      here = operators[index - 1] === '||' ? join(here, after) : after;
    }
    return here;
  }

  function command(each: Command, at: Place): string | null {
    const simple = toSimple(each, found.text, shift, at);
    if (simple === null) {
      below(each, { folder: at.folder, decides: false });
      return at.folder;
    }
    found.simples.push(simple);
    below(each, { folder: at.folder, decides: false });
    inner(simple);
    const { program, args, prefixes } = simple;
    if (program === 'set' && args.some(({ value }) => /^-[a-z]*e|^errexit$/.test(value))) found.stops = true;
    return movesShell(program) && prefixes.length === 0 ? enter(at.folder, program, args) : at.folder;
  }

  /** `bash -c '…'`, where that text stands in this one letter by letter. */
  function inner({ name, program, args, folder, decides }: Simple): void {
    if (!isShell(program) || depth >= MAX_NESTED) return;
    const words = [name, ...args];
    const at = shellCall(words.map(({ value }) => value)).script;
    const word = at === undefined ? undefined : words[at];
    const skip = /^["']/.test(word?.text ?? '') ? 1 : 0;
    if (word?.literal !== true || found.text.slice(word.pos + skip, word.end - skip) !== word.value) return;
    const { stops } = found;
    found.stops = /^-\w*e/.test(args[0]?.value ?? '');
    readInto(found, word.value, { folder, decides }, word.pos + skip, depth + 1);
    found.stops = stops;
  }

  function below(each: SyntaxNode, at: Place, but?: SyntaxNode): void {
    forEachChild(each, (child) => {
      if (child !== but) node(child, at);
    });
  }
}

/** Where the shell is after one of several ways, if all of them lead to the same place. */
const join = (first: string | null, ...others: readonly (string | null)[]): string | null =>
  others.every((other) => other === first) ? first : null;

/** `|| exit 1`, `|| { undo; false; }`: what it catches fails all the same. */
function alwaysFails(each: SyntaxNode): boolean {
  switch (each.type) {
    case 'Statement':
      return each.background !== true && alwaysFails(each.command);
    case 'BraceGroup':
    case 'Subshell': {
      const last = each.body.commands.at(-1);
      return last !== undefined && alwaysFails(last);
    }
    case 'Command': {
      const [said] = each.args;
      const code = said?.type === 'Word' ? said.value : '';
      if (each.name?.value === 'false') return true;
      return ['exit', 'return'].includes(each.name?.value ?? '') && /^[1-9]\d*$/.test(code);
    }
    default:
      return false;
  }
}

function toSimple(node: Command, text: string, shift: number, { folder, decides }: Place): Simple | null {
  if (node.name === undefined) return null;
  const at = (word: Word): WordAt => toWord(word, shift);
  const words = [node.name, ...node.args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []))].map(at);
  const start = commandAt(words.map((word) => word.value));
  const name = words[start];
  // Inside escaped backticks positions do not belong to this text: such a command is not touched.
  if (name === undefined || words.some((word) => text.slice(word.pos, word.end) !== word.text)) return null;
  const program = programName(name.value.replace(/\/+$/, ''));
  const [args, before] = [words.slice(start + 1), words.slice(0, start)];
  const started = before[0]?.value === 'env' ? worksIn(folder, 'env', before.slice(1)) : folder;
  return {
    name,
    program,
    args,
    prefixes: before.map((word) => word.value),
    assignments: node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : [])),
    redirects: node.redirects.flatMap((redirect) => toRedirect(redirect, at)),
    pos: node.pos + shift,
    end: Math.min(node.end + shift, text.length),
    alone: false,
    folder: worksIn(started, program, args),
    decides,
  };
}

const toWord = (word: Word, shift: number): WordAt => ({
  value: word.value,
  text: word.text,
  pos: word.pos + shift,
  end: word.end + shift,
  literal: isFixed(word),
});

function toRedirect(
  redirect: Redirection,
  at: (word: Word) => WordAt,
): { operator: string; target: WordAt }[] {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return [];
  return [{ operator: redirect.operator, target: at(redirect.target) }];
}
