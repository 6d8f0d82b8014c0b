import { UNKNOWN } from '../shell/index.ts';
import { judgeAssignment } from './assignments.ts';
import { listOf, POSITIONAL, setList } from './lists.ts';
import { decodeEscapes, printf } from './output.ts';
import type { ShellScope } from './scope.ts';
import { keepOther } from './set-variables.ts';
import type { SimpleCommand, Span } from './types.ts';

/** Builtins that put words into variables: those that are known. */
export function setsVariables(command: SimpleCommand, scope: ShellScope): void {
  const { name, args } = command;
  const values = args.map(({ value }) => value);
  switch (name) {
    case 'printf':
      if (/^-v/.test(values[0] ?? '')) prints(values, command.span, scope);
      return;
    case 'read':
    case 'mapfile':
    case 'readarray':
      reads(command, values, scope);
      return;
    case 'set': {
      const dashes = values.indexOf('--');
      if (dashes !== -1) setList(scope, POSITIONAL, values.slice(dashes + 1));
      return;
    }
    case 'shift': {
      const left = listOf(scope, POSITIONAL);
      const count = Number(values[0] ?? 1);
      setList(scope, POSITIONAL, left && Number.isInteger(count) ? left.slice(count) : undefined);
      return;
    }
    case 'declare':
    case 'typeset':
    case 'local':
    case 'export':
    case 'readonly':
      if (values.some((value) => /^-\w*n/.test(value)) && name !== 'export') refers(values, scope);
      // What the grammar takes for an assignment was judged as one.
      for (const arg of args)
        if (command.via.length > 0 || !arg.literal) {
          const [, variable, value] = /^(\w+)\+?=(.*)$/s.exec(arg.value) ?? [];
          if (variable !== undefined && value !== undefined) put(variable, value, arg.span, scope);
        }
      return;
    default:
  }
}

/** Sets a variable to a word, which may be one that programs obey. */
function put(name: string, value: string, span: Span, scope: ShellScope): void {
  scope.variables.set(name, value.includes(UNKNOWN) ? undefined : value);
  judgeAssignment(name, { value, literal: true, glob: false, span, text: value }, scope);
}

function prints([first = '', second = '', ...rest]: readonly string[], span: Span, scope: ShellScope): void {
  const [variable, shaped] = first === '-v' ? [second, rest] : [first.slice(2), [second, ...rest]];
  const [shape = '', ...given] = shaped[0] === '--' ? shaped.slice(1) : shaped;
  const decoded = given.map((word) => (shape.includes('%b') ? decodeEscapes(word) : word));
  put(variable, printf(shape, decoded) ?? UNKNOWN, span, scope);
  if (given.some((one) => /^[/~]/.test(one))) scope.astray.add(variable);
}

function reads(
  { name, env, stdin, span }: SimpleCommand,
  values: readonly string[],
  scope: ShellScope,
): void {
  const names = values.filter((value) => /^[A-Za-z_]\w*$/.test(value));
  if (stdin.kind !== 'text') return;
  const [last = 'MAPFILE'] = names.slice(-1);
  if (name !== 'read') {
    const lines = stdin.text.replace(/\n$/, '').split('\n');
    put(last, lines[0] ?? '', span, scope);
    setList(scope, last, lines);
    return;
  }
  const apart = env.find((set) => set.name === 'IFS')?.value.value;
  const words =
    apart === undefined ? stdin.text.trim().split(/\s+/) : splitAt(apart, stdin.text.replace(/\n$/, ''));
  if (values.some((value) => /^-\w*a$/.test(value))) setList(scope, last, words);
  else
    for (const [i, variable] of names.entries())
      put(variable, i === names.length - 1 ? words.slice(i).join(' ') : (words[i] ?? ''), span, scope);
}

const splitAt = (signs: string, text: string): string[] => {
  const words = [''];
  for (const sign of text) {
    if (signs.includes(sign)) words.push('');
    else words[words.length - 1] += sign;
  }
  return words;
};

/** A name for another variable, whatever that will hold. */
function refers(values: readonly string[], scope: ShellScope): void {
  const { variables, astray } = scope;
  for (const value of values) {
    const variable = /^\w+(?==)/.exec(value)?.[0] ?? '';
    const meant = variables.get(value.slice(variable.length + 1));
    variables.set(variable, undefined);
    if (meant !== undefined) keepOther(variable, meant, scope);
    astray.add(variable);
  }
}
