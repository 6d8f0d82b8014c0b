import {
  type Command,
  codeCall,
  evaluatesWords,
  isInterpreter,
  isPwsh,
  programName,
  type SyntaxNode,
  startsOf,
  takesCommand,
  type Word,
  wordsOf,
} from '../../shell/index.ts';

/** Read code, or what tells them where to find it, in so many places that nothing is put among their words. */
const ALWAYS = new Set(
  'eval trap alias complete compgen fc bind ssh rsh su expect wsl cmd osascript parallel watch'.split(' '),
);

const DECLARERS = new Set(['declare', 'typeset', 'local', 'readonly', 'export']);

/**
 * The name of what would read this child of a command as code, or null. Quoting does not help there: it is read a
 * second time.
 */
export function evaluatorOf(command: Command, child: SyntaxNode): string | null {
  const words = wordsOf(command);
  const written = command.name === undefined ? [] : [command.name, ...command.args];
  const at = written.filter((word) => word.end <= child.pos).length;
  // `declare x={item}` is an assignment; of any other word bash reads an array index, as code.
  if (child.type === 'Word' && at > 0 && DECLARERS.has(words[0] ?? '')) return words[0]!;
  // `grep read {item}` is no `read`; behind `sudo` or `env` any word may be the command.
  const candidates = takesCommand(programName(words[0] ?? '')) ? at : Math.min(at, 1);
  for (let index = 0; index < candidates; index++) {
    const own = words.slice(index);
    if (readsAsCode(own, at - index)) return programName(own[0]!);
  }
  return null;
}

/** Whether a command reads the word at this place as code, or has read code before it, which may use the word. */
function readsAsCode(words: readonly string[], at: number): boolean {
  const name = programName(words[0] ?? '');
  const before = words.slice(1, at);
  if (ALWAYS.has(name) || evaluatesWords(name, before)) return true;
  if (isPwsh(name)) return before.some((word) => /^[-/](?:c|e)/i.test(word));
  const code = codeCall(name, words)?.code ?? [];
  const started = startsOf(words)?.started ?? [];
  return (
    code.some((place) => place.at <= at) ||
    started.some((one) => (one.as === 'text' || one.evaluated) && one.from <= at)
  );
}

/** The words that say which command runs: its name and, behind a wrapper, the first word that is no option. */
export function commandNames({ name, args }: Command): Word[] {
  const program = programName(name?.value ?? '');
  const operand =
    takesCommand(program) && program !== 'find'
      ? args.find((word) => word.type === 'Word' && !/^-|^\w+=/.test(word.text))
      : undefined;
  return [name, operand].filter((word) => word !== undefined && word.type === 'Word') as Word[];
}

const runsInput = (name: string): boolean => isInterpreter(name) || /^(?:at|batch|osascript)$/.test(name);

/** The interpreter that runs what this command reads from its input, or null. */
export function interpreterOfInput(command: Command): string | null {
  const words = wordsOf(command);
  const wrapped = takesCommand(programName(words[0] ?? ''));
  const at = wrapped ? words.findIndex((word) => runsInput(programName(word))) : 0;
  const name = programName(words[at] ?? '');
  if (!runsInput(name)) return null;
  const rest = words.slice(at + 1);
  const hasFile =
    rest.some((word) => !word.startsWith('-')) &&
    !rest.some((word) => /^-[a-z]*s$|^-$|^\/dev\/stdin$/.test(word));
  return hasFile && name !== 'at' ? null : name;
}

/** Variables that a shell, or what it starts, reads as code or as a number, which bash computes as code. */
const SPECIAL =
  /^(?:BASH\w*|ENV|PS[0-4]|PROMPT_COMMAND|OPTIND|S?RANDOM|HIST\w*|SECONDS|LINENO|EPOCH\w*|MAIL\w*|TMOUT|FUNCNEST|SHELLOPTS|GROUPS|DIRSTACK|COLUMNS|LINES|LD_\w+|DYLD_\w+|PERL5\w*|RUBYOPT|PYTHON(?:STARTUP|PATH|HOME)|NODE_OPTIONS|GIT_\w*(?:COMMAND|EDITOR|PAGER|SSH|ASKPASS)|EDITOR|VISUAL|PAGER|LESSOPEN)$/;

export const isSpecialVariable = (name: string): boolean => SPECIAL.test(name);

/** Operators of `[[ … ]]` whose sides are arithmetic, and those that read the name of a variable. */
export function evaluatesArithmetic(operator: string): boolean {
  return /^-(?:eq|ne|lt|le|gt|ge|v|R|t|o)$/.test(operator);
}

/**
 * A script that makes a variable an integer or a reference turns every later assignment to it into code, so no
 * placeholder is put anywhere in such a script.
 */
export function declaresEvaluatedVariables(text: string): boolean {
  return /\b(?:declare|typeset|local|export|readonly)\s+(?:[-+][A-Za-z]+\s+)*[-+][A-Za-z]*[in]/.test(text);
}
