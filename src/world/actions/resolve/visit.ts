import { forEachChild, type ParsedScript, type SyntaxNode, type Word } from '../../../core/shell/index.ts';
import { valueIn } from './expand-word.ts';
import { expansionOf, type Interpreter, MAX_DEPTH } from './interpreter.ts';
import { copyState, loseAll, type ShellState } from './shell-state.ts';
import { noteUnknown, whys } from './unknown-paths.ts';

/** Forgets the variables, and the directory, that anything in this node might change. */
export function loseAssigned(node: SyntaxNode, state: ShellState): void {
  if (node.type === 'Assignment') state.vars.set(node.name, undefined);
  if (node.type === 'For' || node.type === 'Select') state.vars.set(node.name.value, undefined);
  if (node.type === 'Command') {
    const name = node.name?.value ?? '';
    if (/^(?:cd|pushd|popd)$/.test(name)) state.cwd = null;
    if (/^(?:read|mapfile|readarray|getopts|unset|let|printf|wait)$/.test(name))
      for (const arg of node.args) if (arg.type === 'Word') state.vars.set(arg.value, undefined);
    if (/^(?:eval|source|\.)$/.test(name) || state.functions.has(name)) loseAll(state);
  }
  if (node.type.startsWith('Arithmetic')) loseNames(node, state);
  forEachChild(node, (child) => loseAssigned(child, state));
}

/** Arithmetic assigns to names without looking like it. */
function loseNames(node: SyntaxNode, state: ShellState): void {
  if (node.type === 'ArithmeticWord')
    for (const name of node.value.match(/[A-Za-z_]\w*/g) ?? []) state.vars.set(name, undefined);
  forEachChild(node, (child) => loseNames(child, state));
}

/** Reads the commands inside a word (`$(…)`), each in a shell of its own, and what its expansion assigns. */
export function visitWord(word: Word, state: ShellState, it: Interpreter): void {
  for (const part of word.parts ?? []) visit(part, state, it);
}

/** Reads the commands inside a node that is no command itself, and forgets what its expansion assigns. */
export function visit(node: SyntaxNode, state: ShellState, it: Interpreter): void {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion': {
      const script: ParsedScript | undefined = node.script;
      // Backticks with escapes have a text of their own, whose offsets are not the script's.
      if (script && script.source === undefined && !script.errors?.length && it.depth < MAX_DEPTH)
        it.runList(script.commands, copyState(state), { ...it, depth: it.depth + 1 });
      else noteUnknown(it, whys.word(node.text));
      return;
    }
    case 'ParameterExpansion':
      if (node.operation?.type === 'Default' && node.operation.operator.includes('='))
        state.vars.set(node.parameter, undefined);
      break;
    default:
      if (node.type.startsWith('Arithmetic')) loseNames(node, state);
  }
  forEachChild(node, (child) => visit(child, state, it));
}

/** Puts known values in the place of variables in a word that is not known as a whole. */
export function editParts(node: SyntaxNode, quoted: boolean, state: ShellState, it: Interpreter): void {
  if (node.type === 'SimpleExpansion' || node.type === 'ParameterExpansion') {
    const value = valueIn(node, expansionOf(it, state));
    // Only what means the same inside and outside quotes.
    if (value !== undefined && /^[\w@%+=:,./-]*$/.test(value))
      it.edits.add(node.pos, node.end, quoted ? value : `'${value}'`);
    return;
  }
  if (node.type === 'DoubleQuoted') for (const part of node.parts) editParts(part, true, state, it);
  if (node.type === 'Word') for (const part of node.parts ?? []) editParts(part, quoted, state, it);
  if (node.type === 'HereDocBody') for (const part of node.parts ?? []) editParts(part, true, state, it);
}
