import { forEachChild, type ParsedScript, type SyntaxNode } from '../shell/index.ts';
import { judgeSubstitutions } from './assignments.ts';
import { guards } from './guards.ts';
import { report, type ShellScope } from './scope.ts';

/** Text with more than this many is no plan; what is past them is not looked at, and so not safe. */
const maxMarkers = 500;

const marker = /\$\(|`|[<>]\(/g;

/**
 * Compares the text with the tree: every place where the text seems to start a substitution must be one in
 * the tree, or be inside quotes, an escape or a comment. A parser that lost one would show here.
 */
export function checkSubstitutions(script: ParsedScript, text: string, scope: ShellScope): void {
  if (!text.includes('(') && !text.includes('`')) return;
  const found = [...text.matchAll(marker)].map((match) => match.index);
  if (found.length === 0) return;
  if (found.length > maxMarkers) report(scope, guards.unproven, scope.at(0, text.length));
  const code: [number, number][] = [];
  const inert: [number, number][] = [];
  const words: Spelt[] = [];
  const evaluates = collect(script, code, inert, words);
  for (const spans of [code, inert, words]) spans.sort((a, b) => a[0] - b[0]);
  for (const at of found.slice(0, maxMarkers)) {
    if (within(code, at)) continue;
    const escaped = text[at - 1] === '\\' && text[at - 2] !== '\\';
    if (within(inert, at) || escaped) {
      report(scope, guards.quotedSubstitution, scope.at(at, at + 2));
      // However it comes there, an expression runs it.
      if (evaluates)
        judgeSubstitutions(
          { value: wordAt(words, at) ?? text.slice(at, endOf(inert, at, text)), span: scope.at(at, at + 2) },
          scope,
        );
    } else if (inComment(text, at, words)) report(scope, guards.quotedSubstitution, scope.at(at, at + 2));
    else report(scope, guards.hiddenSubstitution, scope.at(at, at + 2));
  }
}

/** A word, or what is like one, with its text as it is once its quotes are gone. */
type Spelt = [from: number, to: number, value?: string];

/** The innermost word around a place: what it holds may be quoted piece by piece. */
const wordAt = (words: readonly Spelt[], at: number): string | undefined =>
  words.findLast(([from, to, value]) => from <= at && at < to && value !== undefined)?.[2];

/** Where the quotes around a place close, or its line ends. */
function endOf(spans: readonly [number, number][], at: number, text: string): number {
  const around = spans.find(([from, to]) => from <= at && at < to);
  const line = text.indexOf('\n', at);
  return around ? around[1] : line === -1 ? text.length : line;
}

/** Spans come in the order of the text, so the last one that starts before `at` is the one to ask. */
function within(spans: readonly Spelt[], at: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const found = spans[low - 1];
  return found !== undefined && at < found[1];
}

/** Built-ins that evaluate what they are given. */
const evaluators = /^(?:let|declare|typeset|local)$/;

/**
 * Spans of what the tree knows as code, as quoted text, and as words of any kind. Answers whether some of it is an
 * expression, or a prompt, that the shell evaluates.
 */
function collect(
  node: SyntaxNode,
  code: [number, number][],
  inert: [number, number][],
  words: Spelt[],
): boolean {
  let evaluates = false;
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script) code.push([node.pos, node.end]);
      return false;
    case 'ArithmeticExpansion':
      code.push([node.pos, node.pos + 3]);
      evaluates = true;
      break;
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'TestCommand':
      evaluates = true;
      break;
    case 'ParameterExpansion':
      evaluates =
        node.index !== undefined ||
        node.prefix === '!' ||
        /^(?:Slice|Transform)$/.test(node.operation?.type ?? '');
      break;
    case 'Assignment':
      evaluates = node.index !== undefined;
      break;
    case 'Command':
      evaluates =
        evaluators.test(node.name?.value ?? '') || node.args.some(({ text }) => /^PS[0-4]\b/.test(text));
      break;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      inert.push([node.pos, node.end]);
      return false;
    case 'HereDoc':
      if (node.delimiter?.quoted) inert.push([node.body.pos, node.body.end]);
      break;
    case 'Word':
      words.push([node.pos, node.end, node.value]);
      break;
    case 'Redirect':
      words.push([node.pos, node.end]);
      break;
  }
  forEachChild(node, (child) => {
    if (collect(child, code, inert, words)) evaluates = true;
  });
  return evaluates;
}

/** True where a `#` that starts a comment stands before `at` on its line, outside every word. */
function inComment(text: string, at: number, words: readonly Spelt[]): boolean {
  const start = text.lastIndexOf('\n', at) + 1;
  for (let i = text.indexOf('#', start); i !== -1 && i < at; i = text.indexOf('#', i + 1)) {
    if ((i === 0 || /[\s;&|()]/.test(text[i - 1] ?? '')) && !within(words, i)) return true;
  }
  return false;
}
