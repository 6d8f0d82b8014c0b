import {
  type Command,
  forEachChild,
  isFixed as isFixedWord,
  type ParsedScript,
  parseBash,
  type SyntaxNode,
  type Word,
} from '../../shell/index.ts';
import {
  commandNames,
  evaluatesArithmetic,
  evaluatorOf,
  interpreterOfInput,
  isSpecialVariable,
} from './bash-evaluators.ts';
import { OUTSIDE_QUOTES, refused, type TextPlace } from './context.ts';

/**
 * Says for each offset what bash makes of the quoted word that stands there in `text`. The caller puts a quoted
 * word at each place first: only where the grammar finds exactly that quoted word, in a position where bash does
 * not read it as code, is it a word. Everything else is refused: safe is proved, never assumed.
 */
export function bashPlaces(text: string, offsets: readonly number[]): TextPlace[] {
  const unreadable = refused(
    'bash could not read this command',
    'Mend the quotes and brackets of the command.',
  );
  const parsed = parseBash(text);
  if ('why' in parsed) return offsets.map(() => unreadable);
  const wanted = new Map<number, TextPlace>(offsets.map((offset) => [offset, { kind: 'comment' }]));
  const walk: Walk = { text, wanted, broken: false };
  visit(parsed.script, null, walk);
  if (walk.broken) return offsets.map(() => unreadable);
  return offsets.map((offset) => wanted.get(offset)!);
}

/** What the caller puts at each place before asking. */
export const STAND_IN = "'w'";

interface Walk {
  text: string;
  wanted: Map<number, TextPlace>;
  broken: boolean;
}

const types = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Nodes below which a quoted word may be a word. What is not named here refuses all that is in it. */
const TRANSPARENT = types(
  'Word Assignment ArrayValue Redirect HereString HereDoc ProcessSubstitution TestCommand TestLogical TestNot TestGroup TestUnary TestBinary CommandExpansion DoubleQuoted LocaleString',
);

/** `why` is set once something on the way down refuses what is below it. */
function visit(node: SyntaxNode, why: TextPlace | null, walk: Walk): void {
  if (node.type === 'Script' && ((node as ParsedScript).errors?.length ?? 0) > 0) walk.broken = true;
  const inside = [...walk.wanted.keys()].filter((offset) => contains(node, offset));
  if (inside.length === 0) return;
  const place = why ?? refusal(node, walk);
  if (!isContainer(node)) {
    for (const offset of inside) {
      walk.wanted.set(offset, place ?? (isWordAt(node, offset) ? { kind: 'word' } : QUOTED));
    }
    if (place !== null) return;
  }
  forEachChild(node, (child) => {
    const holds = [...walk.wanted.keys()].some((offset) => contains(child, offset));
    if (holds) visit(child, place ?? refusalOfChild(node, child), walk);
  });
}

const QUOTED = refused('it is inside quotes', OUTSIDE_QUOTES);

const isWordAt = (node: SyntaxNode, offset: number): boolean =>
  node.type === 'SingleQuoted' && node.pos === offset && node.text === STAND_IN;

/** Nodes that hold commands: what is in them and in no word is a comment. */
const CONTAINERS = types(
  'Script Statement CompoundList CaseItem Elif Pipeline AndOr Command Redirected If For While Select Case Subshell BraceGroup Function Coproc',
);
const isContainer = (node: SyntaxNode): boolean => CONTAINERS.has(node.type);

function contains(node: SyntaxNode, offset: number): boolean {
  if (node.type === 'HereDoc') return within(node, offset) || within(node.body, offset);
  // The body of a here-document stands after the commands that it belongs to.
  return isContainer(node) || within(node, offset);
}

const within = (node: { pos: number; end: number }, offset: number) =>
  offset >= node.pos && offset < node.end;

function refusal(node: SyntaxNode, walk: Walk): TextPlace | null {
  switch (node.type) {
    case 'SingleQuoted':
      return null;
    case 'CommandExpansion':
      return walk.text[node.pos] === '`'
        ? refused('it is inside backticks', 'Use $( … ) instead of backticks.')
        : null;
    case 'HereDocBody':
      return refused(
        'it is in a here-document',
        'Write the file with WRITE_FILE, or keep the value in a variable first.',
      );
    case 'HereDocDelimiter':
      return refused('it is the end mark of a here-document', 'Use a fixed word as the mark.');
    case 'Literal':
    case 'AnsiCQuoted':
      return QUOTED;
    case 'ParameterExpansion':
      return refused('it is inside ${ … }', 'Keep the value in a variable first: name={item}.');
    case 'TestUnary':
    case 'TestBinary':
      return evaluatesArithmetic(node.operator)
        ? refused(`bash reads the sides of ${node.operator} as code`, 'Compare with = or with [ … ] instead.')
        : null;
    default:
      if (TRANSPARENT.has(node.type) || isContainer(node)) return null;
      if (node.type.startsWith('Arithmetic')) {
        return refused('bash reads it as code in arithmetic', 'Keep it out of (( … )) and $(( … )).');
      }
      return refused('it is inside a pattern or braces', 'Write it as a word of its own.');
  }
}

/** Why nothing can be put into one child of a node, where it could be put into others. */
function refusalOfChild(parent: SyntaxNode, child: SyntaxNode): TextPlace | null {
  switch (parent.type) {
    case 'Assignment':
      return parent.index === child ? ARRAY_INDEX : specialVariable(parent.name);
    case 'ArrayValue':
      return child.type === 'Word' && child.text.startsWith('[') ? ARRAY_INDEX : null;
    case 'For':
    case 'Select':
      return child === parent.body ? null : specialVariable(parent.name.value);
    case 'Pipeline':
      if (parent.commands.length > MAX_PIPELINE)
        return refused('the pipeline is too long to be checked', 'Split it.');
      return runsItsInput(parent.commands.filter((command) => command.pos > child.pos));
    case 'Command':
      return refusalInCommand(parent, child);
    default:
      return null;
  }
}

const MAX_PIPELINE = 100;

const ARRAY_INDEX = refused('bash reads an array index as code', 'Use a fixed index.');

function specialVariable(name: string): TextPlace | null {
  if (!isSpecialVariable(name)) return null;
  return refused(`what is put into ${name} is read as code`, 'Use a variable of your own.');
}

function runsItsInput(later: readonly SyntaxNode[]): TextPlace | null {
  const shell = later
    .map((node) => (node.type === 'Command' ? interpreterOfInput(node) : null))
    .find((name) => name !== null);
  if (shell === undefined) return null;
  return refused(
    `\`${shell}\` runs what it reads`,
    `Give ${shell} a script file, and the value as an argument.`,
  );
}

function refusalInCommand(command: Command, child: SyntaxNode): TextPlace | null {
  if (child === command.name) return isFixed(command.name, true) ? null : NAME_UNKNOWN;
  const evaluator = evaluatorOf(command, child);
  if (evaluator !== null) {
    const mend = 'Write a script file, and give the value to it as an argument.';
    return refused(`\`${evaluator}\` reads its arguments as code`, mend);
  }
  const feeds =
    child.type === 'HereString' ||
    (child.type === 'Redirect' && child.target?.parts?.[0]?.type === 'ProcessSubstitution');
  if (feeds) return runsItsInput([command]);
  if (child.type === 'Word') {
    const variable = /^([A-Za-z_]\w*)=/.exec(child.text)?.[1];
    const special = variable === undefined ? null : specialVariable(variable);
    if (special !== null) return special;
  }
  const isKnown = commandNames(command).every((word) => word.pos >= child.pos || isFixed(word, false));
  return isKnown || child.type === 'Assignment' ? null : NAME_UNKNOWN;
}

const NAME_UNKNOWN = refused(
  'which command this is, is not known beforehand',
  'Write the name of the command as it is.',
);

/** A word without expansions and patterns. With `values`, values may be put in: as a name, they name a program. */
function isFixed(word: Word, values: boolean): boolean {
  const holdsValue = word.parts?.some((part) => part.type === 'SingleQuoted' && part.text === STAND_IN);
  return isFixedWord(word) && (values || !holdsValue);
}
