import type { Plugin } from 'rolldown';
import { isNode, type Node } from './syntax.ts';

/**
 * A call of the hook needs a tenth of the tables, patterns and modules that its bundle has at the top of its files; making all of
 * them took as long as the verdict. Here each is made when it is first used: `const X = make()` becomes a function that makes it
 * once, and `X` asks it. That is the same wherever making X has no effect but X, as the bundler is told of all our files.
 *
 * What holds functions and texts costs nothing and stays. So does a name that is also given to something else somewhere in the
 * file: which of them is meant would have to be found out.
 */
export function withValuesWhenUsed(code: string, body: readonly Node[]): string {
  const bound = new Map<string, number>();
  const uses: { node: Node; isShorthand: boolean }[] = [];
  look(body, bound, uses);
  const edits: { start: number; end: number; text: string }[] = [];
  const deferred = new Set<string>();
  for (const statement of body) {
    const { name, init } = valueIn(statement) ?? {};
    const made = `${name}_made`;
    if (name === undefined || init === undefined || bound.get(name) !== 1 || bound.has(made)) continue;
    deferred.add(name);
    const head = `let ${made}; const ${name} = () => ${made} ??= (`;
    edits.push({ start: statement.start, end: init.start, text: head });
    edits.push({ start: init.end, end: statement.end, text: ');' });
  }
  for (const { node, isShorthand } of uses) {
    const name = String(node['name']);
    // In brackets: of `new X().Y()` the first call would be that of `new`.
    const text = `${isShorthand ? `${name}: ` : ''}(${name}())`;
    if (deferred.has(name)) edits.push({ start: node.start, end: node.end, text });
  }
  let at = 0;
  const parts = edits
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end, text }) => {
      const before = code.slice(at, start);
      at = end;
      return [before, text];
    });
  return [...parts, code.slice(at)].join('');
}

/** Made at once for nothing, or not to be made twice: what a name stands for then is no value that could wait. */
const stays = /^(Literal|Identifier|ArrowFunctionExpression|FunctionExpression|ClassExpression)$/;

/** The one value that a statement names; null where it does something else. */
function valueIn(statement: Node): { name: string; init: Node } | null {
  if (statement.type !== 'VariableDeclaration') return null;
  const [only, ...others] = statement['declarations'] as { id: Node; init: Node | null }[];
  if (only === undefined || others.length > 0 || only.id.type !== 'Identifier' || only.init === null)
    return null;
  const { init } = only;
  const isPlain = stays.test(init.type) && init['regex'] === undefined;
  if (isPlain || (statement['kind'] !== 'const' && !isRequired(init))) return null;
  return { name: String(only.id['name']), init };
}

/** What the bundler declares by `let`, and never sets. */
const isRequired = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && (callee as Node)['name'] === 'require';

const isMember = ({ type }: Node): boolean => type === 'MemberExpression';

/** Counts how often each name is given to something, and finds where names are used. */
function look(
  value: unknown,
  bound: Map<string, number>,
  uses: { node: Node; isShorthand: boolean }[],
): void {
  const bind = (pattern: unknown): void => {
    if (Array.isArray(pattern)) for (const one of pattern) bind(one);
    if (!isNode(pattern)) return;
    if (pattern.type === 'Identifier') {
      const name = String(pattern['name']);
      bound.set(name, (bound.get(name) ?? 0) + 1);
    } else if (pattern.type === 'Property') {
      if (pattern['computed'] === true) visit(pattern['key']);
      bind(pattern['value']);
    } else if (pattern.type === 'AssignmentPattern') {
      bind(pattern['left']);
      visit(pattern['right']);
    } else if (pattern.type === 'RestElement') bind(pattern['argument']);
    else if (pattern.type === 'ObjectPattern') bind(pattern['properties']);
    else if (pattern.type === 'ArrayPattern') bind(pattern['elements']);
    else throw new Error(`a pattern of ${pattern.type} is not known`);
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isNode(node)) return;
    const isBinding = (part: string): boolean =>
      // What is set again is not what its first making made.
      (node.type === 'AssignmentExpression' &&
        part === 'left' &&
        isNode(node[part]) &&
        !isMember(node[part])) ||
      (node.type === 'VariableDeclarator' && part === 'id') ||
      (node.type === 'CatchClause' && part === 'param') ||
      (/Function|^Class(Decl|Expr)/.test(node.type) && (part === 'id' || part === 'params'));
    if (node.type === 'Identifier') {
      uses.push({ node, isShorthand: false });
      return;
    }
    if (node.type === 'Property' && node['shorthand'] === true && isNode(node['value'])) {
      if (node['value'].type === 'Identifier') uses.push({ node: node['value'], isShorthand: true });
      else visit(node['value']);
      return;
    }
    for (const part in node) {
      const isName =
        ((part === 'key' || part === 'property') && node['computed'] !== true) || part === 'label';
      if (isBinding(part)) bind(node[part]);
      else if (!isName) visit(node[part]);
    }
  };
  visit(value);
}

export const valuesWhenUsed: Plugin = {
  name: 'values-when-used',
  renderChunk(code) {
    return { code: withValuesWhenUsed(code, this.parse(code).body as unknown as Node[]), map: null };
  },
};
