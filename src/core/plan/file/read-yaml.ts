import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  parseDocument,
  type YAMLError,
  type YAMLMap,
  type Document as YamlDocument,
} from 'yaml';
import { duplicateKeys, faultAt, type Pair, type ReadFault, type ReadTree, type Tree } from './tree.ts';

export const MAX_ALIASES = 1_000;
/** Enough for 10,000 steps with every key; fewer than would keep a person waiting. */
const MAX_TOKENS = 1_500_000;
const MAX_COMMAS = 150_000;
const MAX_DEPTH = 100;

/** Reads any YAML with the `yaml` package, within limits on size, depth and aliases. Never throws. */
export function readYaml(text: string): ReadTree {
  const fault = tooComplex(text);
  if (fault !== null) return { ok: false, faults: [fault] };
  let document: YamlDocument.Parsed;
  try {
    // Repeated keys are found below: the package compares every pair of keys.
    document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, keepSourceTokens: false });
  } catch (error) {
    const message =
      error instanceof RangeError ? 'The file is nested too deeply.' : 'The file cannot be read.';
    return { ok: false, faults: [faultAt(0, 'invalid-yaml', message, 'Write it as a plain list of steps.')] };
  }
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) return { ok: false, faults: broken.map(faultOf) };
  if (document.contents === null) return { ok: false, faults: [emptyFault] };
  const faults: ReadFault[] = [];
  const tree = convert(document.contents, { faults, anchors: new Map(), depth: 0 });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, tree };
}

const emptyFault = faultAt(
  0,
  'empty-file',
  'The file says nothing.',
  'A plan has a `goal` and a `plan`, a list of steps.',
);

/** Counts before parsing: the package takes long over files that are mostly signs. */
function tooComplex(text: string): ReadFault | null {
  let tokens = 0;
  let commas = 0;
  let marks = 0;
  let depth = 0;
  let pos = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    const first = isText ? '' : token[0]!;
    isText = token === SCALAR_FOLLOWS;
    tokens++;
    if (first === ',') commas++;
    else if (first === '[' || first === '{') depth++;
    else if (first === ']' || first === '}') depth--;
    else if (first === '&' || first === '*' || first === '!') marks++;
    if (marks > MAX_ALIASES) {
      const message = `The file has more than ${MAX_ALIASES} anchors and aliases.`;
      return faultAt(pos, 'too-many-aliases', message, 'Write the values out.');
    }
    if (depth > MAX_DEPTH) return tooDeep(pos);
    if (tokens > MAX_TOKENS || commas > MAX_COMMAS) {
      const message = 'The file has too many parts for one plan.';
      return faultAt(pos, 'too-complex', message, 'A plan has at most 10,000 steps: split it.');
    }
    if (!CONTROL_TOKENS.includes(token)) pos += token.length;
  }
  return null;
}

const SCALAR_FOLLOWS = '\x1f';
/** What the lexer says besides the text itself. */
const CONTROL_TOKENS = ['\x02', '\x18', SCALAR_FOLLOWS];

const tooDeep = (pos: number, mend = 'Write it as a plain list of steps.'): ReadFault =>
  faultAt(pos, 'too-complex', 'The file is nested too deeply.', mend);

function faultOf(error: YAMLError): ReadFault {
  const [pos] = error.pos;
  // The package reports its own recursion without end as an error of the document.
  if (error.message.includes('call stack')) return tooDeep(pos);
  const message = error.message.split('\n')[0]!.replace(/[.:]?$/, '.');
  const invalid = (what: string, mend: string) => faultAt(pos, 'invalid-yaml', what, mend);
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return faultAt(pos, 'tab-indent', 'A tab is used to indent.', 'Indent with spaces.');
    case 'BLOCK_AS_IMPLICIT_KEY':
      return invalid(
        'This text has `: ` in it, which YAML takes for a key.',
        'Put the whole text in single quotes, or use `run: |` and write it on the next line.',
      );
    case 'MULTIPLE_DOCS':
      return invalid('The file has several documents.', 'Keep one plan in one file.');
    case 'TAG_RESOLVE_FAILED':
      return invalid(message, 'Leave out the `!tag`: a plan is plain text and lists.');
    default:
      return invalid(
        message,
        'Mend the YAML; put text that has `: ` or ` #`, or starts with a sign, in quotes.',
      );
  }
}

interface Conversion {
  faults: ReadFault[];
  /** What an anchor stands for, so that an alias is a reference and not a copy; null while under way. */
  anchors: Map<string, Tree | null>;
  depth: number;
}

function convert(node: ParsedNode | null, state: Conversion): Tree {
  if (node === null) return { kind: 'scalar', pos: 0, end: 0, value: null };
  const [pos, valueEnd] = node.range;
  const nothing = { kind: 'scalar', pos, end: valueEnd, value: null } as const;
  if (isAlias(node)) return resolveAlias(node.source, nothing, state);
  if (state.depth > MAX_DEPTH) {
    state.faults.push(tooDeep(pos, 'Write it flat.'));
    return nothing;
  }
  const anchor = 'anchor' in node ? node.anchor : undefined;
  if (anchor !== undefined) state.anchors.set(anchor, null);
  state.depth++;
  let tree: Tree = nothing;
  if (isScalar(node)) {
    tree = convertScalar(node.value, pos, valueEnd);
  } else if (isSeq(node)) {
    const items = node.items.map((item) => convert(item as ParsedNode, state));
    tree = { kind: 'seq', pos, end: valueEnd, items };
  } else if (isMap(node)) {
    tree = { kind: 'map', pos, end: valueEnd, pairs: convertPairs(node, state) };
  }
  state.depth--;
  if (anchor !== undefined) {
    if (tree.kind !== 'scalar') tree.anchored = true;
    state.anchors.set(anchor, tree);
  }
  return tree;
}

function convertScalar(value: unknown, pos: number, end: number): Tree {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', pos, end, value: plain ? value : value === null ? null : String(value) };
}

function convertPairs(map: YAMLMap.Parsed, state: Conversion): Pair[] {
  const pairs: Pair[] = [];
  for (const { key, value } of map.items) {
    const pos = key?.range?.[0] ?? map.range[0];
    if (!isScalar(key)) {
      state.faults.push(faultAt(pos, 'wrong-key', 'A key is not plain text.', 'Write `key: value`.'));
      continue;
    }
    const tree: Tree =
      value === null ? { kind: 'scalar', pos, end: pos, value: null } : convert(value, state);
    pairs.push({ key: String(key.value), pos, value: tree });
  }
  state.faults.push(...duplicateKeys(pairs));
  return pairs;
}

function resolveAlias(name: string, nothing: Tree & { kind: 'scalar' }, state: Conversion): Tree {
  const { pos } = nothing;
  const known = state.anchors.get(name);
  if (known === undefined || known === null) {
    const message = known === null ? 'An alias refers to what it is part of.' : 'An alias refers to nothing.';
    state.faults.push(faultAt(pos, 'invalid-yaml', message, 'Write the value out.'));
    return nothing;
  }
  return known.kind === 'scalar' ? { ...nothing, value: known.value } : known;
}
