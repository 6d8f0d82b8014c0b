import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from 'unbash';
import { evaluatesArithmetic, evaluatorBefore } from './bash-evaluators.ts';
import { OUTSIDE_QUOTES, type Place, refused } from './context.ts';

/**
 * Says for each offset what bash makes of the quoted word that stands there in `text`. The caller puts a quoted
 * word at each place first: only where the grammar finds exactly that quoted word, in a position where bash does
 * not read it as code, is it a word. Everything else is refused: safe is proved, never assumed.
 */
export function bashPlaces(text: string, offsets: readonly number[]): Place[] {
  const unreadable = refused(
    'bash could not read this command',
    'Mend the quotes and brackets of the command.',
  );
  let script: ParsedScript;
  try {
    script = parse(text);
  } catch {
    return offsets.map(() => unreadable);
  }
  const wanted = new Map<number, Place>(offsets.map((offset) => [offset, { kind: 'comment' }]));
  const walk: Walk = { text, wanted, broken: false };
  visit(script, null, walk);
  if (walk.broken) return offsets.map(() => unreadable);
  return offsets.map((offset) => wanted.get(offset)!);
}

/** What the caller puts at each place before asking. */
export const STAND_IN = "'w'";

interface Walk {
  text: string;
  wanted: Map<number, Place>;
  broken: boolean;
}

/** Nodes below which a quoted word may be a word. What is not named here refuses all that is in it. */
const TRANSPARENT = new Set<SyntaxNode['type']>([
  ...([
    'Word',
    'Assignment',
    'ArrayValue',
    'Redirect',
    'HereString',
    'HereDoc',
    'ProcessSubstitution',
  ] as const),
  ...(['TestCommand', 'TestLogical', 'TestNot', 'TestGroup', 'TestUnary', 'TestBinary'] as const),
  ...(['CommandExpansion', 'DoubleQuoted', 'LocaleString'] as const),
]);

/** `why` is set once something on the way down refuses what is below it. */
function visit(node: SyntaxNode, why: Place | null, walk: Walk): void {
  if (node.type === 'Script' && ((node as ParsedScript).errors?.length ?? 0) > 0) walk.broken = true;
  const inside = [...walk.wanted.keys()].filter((offset) => contains(node, offset));
  if (inside.length === 0) return;
  const place = why ?? refusal(node, walk);
  for (const offset of inside) {
    if (place !== null) walk.wanted.set(offset, place);
    else if (isWordAt(node, offset)) walk.wanted.set(offset, { kind: 'word' });
    else if (!isContainer(node)) walk.wanted.set(offset, QUOTED);
  }
  if (place !== null) return;
  if (node.type === 'Command') {
    visitCommand(node, walk);
    return;
  }
  forEachChild(node, (child) => visit(child, indexOfArray(node, child), walk));
}

const QUOTED = refused('it is inside quotes', OUTSIDE_QUOTES);

const isWordAt = (node: SyntaxNode, offset: number): boolean =>
  node.type === 'SingleQuoted' && node.pos === offset && node.text === STAND_IN;

/** Nodes that hold commands: what is in them and in no word is a comment. */
const CONTAINERS = new Set<SyntaxNode['type']>([
  ...([
    'Script',
    'Statement',
    'CompoundList',
    'CaseItem',
    'Elif',
    'Pipeline',
    'AndOr',
    'Command',
    'Redirected',
  ] as const),
  ...(['If', 'For', 'While', 'Select', 'Case', 'Subshell', 'BraceGroup', 'Function', 'Coproc'] as const),
]);
const isContainer = (node: SyntaxNode): boolean => CONTAINERS.has(node.type);

function contains(node: SyntaxNode, offset: number): boolean {
  if (node.type === 'HereDoc') return within(node, offset) || within(node.body, offset);
  // The body of a here-document stands after the commands that it belongs to.
  return isContainer(node) || within(node, offset);
}

const within = (node: { pos: number; end: number }, offset: number) =>
  offset >= node.pos && offset < node.end;

function refusal(node: SyntaxNode, walk: Walk): Place | null {
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

/** Bash reads the index of an array as arithmetic, and arithmetic as code. */
function indexOfArray(parent: SyntaxNode, child: SyntaxNode): Place | null {
  const isIndex = parent.type === 'Assignment' && parent.index === child;
  return isIndex ? refused('bash reads an array index as code', 'Use a fixed index.') : null;
}

function visitCommand(node: SyntaxNode & { type: 'Command' }, walk: Walk): void {
  const unknown = node.name !== undefined && !isLiteral(node.name) ? NAME_UNKNOWN : null;
  forEachChild(node, (child) => {
    const isName = child === node.name;
    const evaluator = evaluatorBefore(node, child.pos);
    const why = `\`${evaluator ?? ''}\` reads its arguments as code`;
    const mend = 'Write a script file, and give the value to it as an argument.';
    const bad = evaluator === null ? unknown : refused(why, mend);
    visit(child, isName && isStandIn(child) ? null : bad, walk);
  });
}

const NAME_UNKNOWN = refused(
  'which command this is, is not known beforehand',
  'Write the name of the command as it is.',
);

/** A word whose text is fixed: no expansion, no pattern, no value put in. */
function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every((part) => {
    if (part.type === 'SingleQuoted') return part.text !== STAND_IN;
    if (part.type === 'DoubleQuoted') return part.parts.every((inner) => inner.type === 'Literal');
    return part.type === 'Literal' || part.type === 'AnsiCQuoted';
  });
}

/** A word of fixed text and values only: it names a program, and may stand as the name of a command. */
function isStandIn(node: SyntaxNode): boolean {
  const parts = node.type === 'Word' ? (node.parts ?? []) : [];
  return parts.every((part) => part.type === 'Literal' || part.type === 'SingleQuoted');
}
