import type { Plugin } from 'rolldown';
import { isNode, type Node } from './syntax.ts';

/**
 * A start of the program needs a tenth of the schemas that it loads; building the others took a quarter of its time. In the
 * bundle each schema at the top of a file is built when it is first read: `const X = z.object(…)` becomes
 * `const X = deferred(() => z.object(…))`, and so do lists and shapes that hold nothing but schemas. Whoever has X has the
 * same X always, and sees no difference.
 */
const HELPER = '\0deferred';

const helper = `
/**
 * Stands for what \`make\` makes. The target is a list where it is one, or nobody would take it for one. What binds a method
 * to whom it is asked of, and keeps it there, has it bound to this one: nobody ever meets what is behind it.
 */
export const deferred = (make, target) => {
  let made;
  const of = () => (made ??= make());
  return new Proxy(target, {
    get: (kept, key, self) =>
      key !== 'length' && Object.hasOwn(kept, key) ? kept[key] : Reflect.get(of(), key, self),
    has: (_, key) => key in of(),
    ownKeys: () => Reflect.ownKeys(of()),
    getPrototypeOf: () => Reflect.getPrototypeOf(of()),
    getOwnPropertyDescriptor(kept, key) {
      const found = Reflect.getOwnPropertyDescriptor(of(), key);
      // Only what the target has as well may be called unchangeable: the length of a list.
      return found && { ...found, configurable: found.configurable || !Object.hasOwn(kept, key) };
    },
  });
};
`;

/** Of a schema make another. What else is called on a name with a capital letter is not one's to put off. */
const derives =
  /^(extend|safeExtend|pick|omit|partial|required|optional|nullable|exclude|extract|array|and|or|refine)$/;

/** Without what only the compiler reads. */
const bare = (node: Node): Node =>
  /^(TS(As|Satisfies|NonNull)|Parenthesized)Expression$/.test(node.type)
    ? bare(node['expression'] as Node)
    : node;

/** The name that a chain of calls and members begins with, and the last member of it: `z` and `min` of `z.int().min(1)`. */
function chainOf(node: Node): { first: string; last: string } | null {
  let last = '';
  for (let at = bare(node); ; ) {
    if (at.type === 'Identifier') return { first: String(at['name']), last };
    if (at.type === 'CallExpression') at = bare(at['callee'] as Node);
    else if (at.type === 'MemberExpression') {
      last ||= String((at['property'] as Node)['name']);
      at = bare(at['object'] as Node);
    } else return null;
  }
}

/** Whether evaluating it reads one of these names. */
function reads(value: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((one) => reads(one, names));
  if (!isNode(value) || /Function/.test(value.type)) return false;
  if (value.type === 'Identifier') return names.has(String(value['name']));
  if (value.type.startsWith('TS') && bare(value) === value) return false;
  const isName = (part: string) => value['computed'] !== true && (part === 'key' || part === 'property');
  return Object.entries(value).some(([part, inner]) => !isName(part) && reads(inner, names));
}

/** What stands for it until it is read; null: it is made at once. */
function targetOf(given: Node, schemas: ReadonlySet<string>): '{}' | '[]' | null {
  const node = bare(given);
  if (node.type === 'CallExpression') {
    const { first = '', last = '' } = chainOf(node) ?? {};
    if (first === 'z') return last === 'registry' || last === 'toJSONSchema' ? null : '{}';
    if (last !== '') return /^[A-Z]/.test(first) && derives.test(last) ? '{}' : null;
    return reads(node['arguments'], schemas) ? '{}' : null;
  }
  const parts =
    node.type === 'ArrayExpression'
      ? (node['elements'] as (Node | null)[])
      : node.type === 'ObjectExpression'
        ? (node['properties'] as Node[]).map((part) =>
            part.type === 'Property' ? (part['value'] as Node) : part,
          )
        : [];
  const isPart = (part: Node | null) =>
    part !== null && /^(CallExpression|Identifier|SpreadElement)$/.test(bare(part).type);
  if (!parts.every(isPart) || !reads(parts, schemas)) return null;
  return node.type === 'ArrayExpression' ? '[]' : '{}';
}

/** What begins with a capital letter and is no type. */
const importedSchemas = ({ type, importKind, specifiers }: Node): string[] =>
  type === 'ImportDeclaration' && importKind !== 'type'
    ? (specifiers as { importKind?: string; local: Node }[])
        .filter(({ importKind: kind }) => kind !== 'type')
        .map(({ local }) => String(local['name']))
        .filter((name) => /^[A-Z][a-z]/.test(name))
    : [];

/** The text of a file with its schemas put off; null where it has none. */
export function withDeferred(code: string, body: readonly Node[]): string | null {
  const schemas = new Set(['z', ...body.flatMap(importedSchemas)]);
  const found: { node: Node; target: string }[] = [];
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : statement;
    if (!isNode(declared) || declared.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared['declarations'] as { id: Node; init: Node | null }[]) {
      const target = init && targetOf(init, schemas);
      if (!target) continue;
      schemas.add(String(id['name']));
      found.push({ node: bare(init), target });
    }
  }
  if (found.length === 0) return null;
  const text = found
    .toReversed()
    .reduce(
      (rest, { node: { start, end }, target }) =>
        `${rest.slice(0, start)}/* @__PURE__ */ deferred(() => (${rest.slice(start, end)}), ${target})${rest.slice(end)}`,
      code,
    );
  return `import { deferred } from ${JSON.stringify(HELPER)};\n${text}`;
}

export const deferSchemas: Plugin = {
  name: 'deferred-schemas',
  resolveId: (id) => (id === HELPER ? id : null),
  load: (id) => (id === HELPER ? helper : null),
  transform: {
    filter: { id: /[\\/]src[\\/](core|world|mind|doors)[\\/].*\.ts$/ },
    handler(code, id) {
      // In the contract some are made of those of other files alone.
      if (!code.includes("'zod'") && !/[\\/]core[\\/]contract[\\/]/.test(id)) return null;
      const text = withDeferred(code, this.parse(code, { lang: 'ts' }).body as unknown as Node[]);
      return text === null ? null : { code: text, map: null };
    },
  },
};
