import type { ShellScope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';
import { kinds as common } from './kinds.ts';
import { prove, provenUntil, type ValueKinds } from './prove.ts';
import { linesOf, readSpec, type Spec } from './spec.ts';
import { isTrusted } from './trust.ts';
import type { Reading, SafeCheck, ValueKind } from './types.ts';

export type SafeRow = readonly [name: string, check: SafeCheck];

interface TableOptions {
  /** Kinds of this table's own. */
  readonly kinds?: Readonly<Record<string, RegExp | ValueKind>>;
  readonly single?: boolean;
  /** The program runs code, or follows settings, of the folder it is in: only where a person trusts that. */
  readonly trusted?: boolean;
  /** What else must hold of the words. */
  also?(reading: Reading, command: SimpleCommand, scope: ShellScope): boolean;
}

/** Every line: `program… ; options ; operands`. */
export function programs(table: string, options: TableOptions = {}): SafeRow[] {
  const kinds = kindsOf(options);
  return linesOf(table).flatMap((line) => {
    let spec: Spec | undefined;
    const check: SafeCheck = (command, scope) => {
      spec ??= checked(readSpec(line.options, line.operands, options.single), kinds);
      return holds(prove(spec, command, scope, kinds), command, scope, options);
    };
    return line.left.split(/\s+/).map((name): SafeRow => [name, check]);
  });
}

interface Verb {
  readonly words: readonly string[];
  readonly spec: Spec;
}

/**
 * One program of the shape `tool verb…`. Every line: `verb, verb verb ; options ; operands`; `a|b` is either word, `*`
 * any plain one. `globals` may stand everywhere, and nothing else before the verb.
 */
export function verbs(names: string, globals: string, table: string, options: TableOptions = {}): SafeRow[] {
  const kinds = kindsOf(options);
  let known: { before: Spec; all: Verb[] } | undefined;
  const check: SafeCheck = (command, scope) => {
    if (options.trusted && !isTrusted(scope)) return false;
    known ??= {
      before: checked(readSpec(globals, '', options.single), kinds),
      all: verbsOf(table, globals, kinds, options.single),
    };
    const { before } = known;
    const first = command.args[provenUntil(before, command, scope, 0, kinds) ?? -1];
    return known.all.some((verb) => {
      const from =
        first && isVerb(verb.words[0], first)
          ? behindVerb(verb.words, before, kinds, command, scope)
          : undefined;
      return (
        from !== undefined && holds(prove(verb.spec, command, scope, kinds, from), command, scope, options)
      );
    });
  };
  return names.split(' ').map((name) => [name, check]);
}

const verbsOf = (table: string, globals: string, kinds: ValueKinds, single?: boolean): Verb[] =>
  linesOf(table).flatMap((line) => {
    const spec = checked(readSpec(`${globals} ${line.options}`, line.operands, single, true), kinds);
    return line.left.split(/\s*,\s*/).map((path) => ({ words: path.split(/\s+/), spec }));
  });

const isVerb = (word: string | undefined, { value, literal, glob }: Arg): boolean =>
  literal &&
  !glob &&
  // A table has dozens of verbs, and nearly all are one word.
  (word === value ||
    (word === '*'
      ? /^[a-z][\w-]*$/.test(value)
      : word?.includes('|') === true && word.split('|').includes(value)));

/** Where the words behind the verb begin. */
function behindVerb(
  words: readonly string[],
  before: Spec,
  kinds: ValueKinds,
  command: SimpleCommand,
  scope: ShellScope,
): number | undefined {
  let at: number | undefined = 0;
  for (const word of words) {
    at = provenUntil(before, command, scope, at, kinds);
    const arg = at === undefined ? undefined : command.args[at];
    if (at === undefined || !arg || !isVerb(word, arg) || command.args[at - 1]?.value === '--')
      return undefined;
    at++;
  }
  return at;
}

function holds(
  reading: Reading | undefined,
  command: SimpleCommand,
  scope: ShellScope,
  { trusted, also }: TableOptions,
): boolean {
  if (!reading || (trusted && !isTrusted(scope))) return false;
  return also?.(reading, command, scope) ?? true;
}

const kindsOf = ({ kinds = {} }: TableOptions): ValueKinds => ({
  ...common,
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      kind instanceof RegExp ? (value: string) => kind.test(value) : kind,
    ]),
  ),
});

function checked(spec: Spec, kinds: ValueKinds): Spec {
  for (const kind of [spec.operand, ...[...spec.options.values()].map((taken) => taken.kind)])
    if (kind !== 'any' && !Object.hasOwn(kinds, kind)) throw new Error(`no kind is called ${kind}`);
  return spec;
}
