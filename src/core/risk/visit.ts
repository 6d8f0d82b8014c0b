import {
  bracedWords,
  forEachChild,
  hasBraces,
  type ParsedScript,
  type SyntaxNode,
  type Word,
} from '../shell/index.ts';
import { guards, limits } from './guards.ts';
import { report, type ShellScope } from './scope.ts';
import type { Stdin } from './types.ts';
import { isSecretVariable } from './variables.ts';

/** Finds what a word would run while it is expanded. */
export function visitWord(word: Word, scope: ShellScope): void {
  if (!word.parts) return;
  if (hasBraces(word) && !bracedWords(word)) report(scope, guards.expansion, scope.at(word.pos, word.end));
  for (const part of word.parts) visit(part, scope);
}

/** Finds what a node would run or compute while it is expanded. */
export function visit(node: SyntaxNode, scope: ShellScope): void {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      walkSubstitution(node, scope);
      return;
    case 'ArithmeticExpansion':
      report(scope, guards.arithmetic, scope.at(node.pos, node.end));
      hiddenIn(node, scope);
      break;
    case 'SimpleExpansion':
      showsSecret(node.text.slice(1), node, scope);
      break;
    case 'ParameterExpansion':
      if (node.prefix || node.index || node.operation)
        report(scope, guards.expansion, scope.at(node.pos, node.end));
      showsSecret(node.parameter, node, scope);
      break;
    case 'LocaleString':
      report(scope, guards.unproven, scope.at(node.pos, node.end));
      break;
  }
  forEachChild(node, (child) => visit(child, scope));
}

/** What expands a secret of the environment may print it, whatever reads the word. */
function showsSecret(name: string, node: SyntaxNode, scope: ShellScope): void {
  if (isSecretVariable(name) && scope.variables.get(name) === undefined)
    report(scope, guards.unproven, scope.at(node.pos, node.end));
}

function walkSubstitution(node: SyntaxNode & { script: ParsedScript | undefined }, scope: ShellScope): void {
  const span = scope.at(node.pos, node.end);
  if (scope.depth >= limits.depth) {
    report(scope, guards.tooDeep, span);
    return;
  }
  const script = node.script;
  if (!script) {
    report(scope, guards.hiddenSubstitution, span);
    return;
  }
  if (script.errors?.length) report(scope, guards.parseError, span);
  const at = script.source === undefined ? scope.at : () => span;
  // What is written to `>( … )` arrives at the standard input of the commands in it; others read what the shell reads.
  const stdin: Stdin =
    node.type === 'ProcessSubstitution' && node.operator === '>' ? { kind: 'pipe', from: [] } : scope.stdin;
  const inner: ShellScope = {
    ...scope,
    depth: scope.depth + 1,
    at,
    stdin,
    variables: new Map(scope.variables),
  };
  const count = inner.script(script, inner);
  if (count === 0 && !/^\$\(\s*<|^[<>]\(/.test('text' in node ? String(node.text) : ''))
    report(scope, guards.empty, span);
}

/** Values that bash evaluates as arithmetic run substitutions even out of single quotes. */
export function hiddenIn(node: SyntaxNode, scope: ShellScope): void {
  forEachChild(node, (child) => {
    if (child.type === 'SingleQuoted' && /\$\(|`/.test(child.value)) {
      report(scope, guards.hiddenSubstitution, scope.at(child.pos, child.end));
    }
    if (child.type === 'Word' || child.type === 'DoubleQuoted') hiddenIn(child, scope);
    else if (child.type.startsWith('Test') || child.type.startsWith('Arithmetic')) hiddenIn(child, scope);
    else if (child.type === 'ArithmeticWord') hiddenIn(child, scope);
  });
}
