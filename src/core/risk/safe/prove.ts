import { UNKNOWN } from '../../shell/index.ts';
import type { ShellScope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';
import { kinds as common, isShownPattern } from './kinds.ts';
import type { Spec, Taken } from './spec.ts';
import type { Reading, ValueKind } from './types.ts';

export type ValueKinds = Readonly<Record<string, ValueKind>>;

/** What is being read: the words from `from` on, and what was found in those before it. */
interface Walk {
  readonly spec: Spec;
  readonly command: SimpleCommand;
  readonly scope: ShellScope;
  readonly kinds: ValueKinds;
  readonly operands: Arg[];
  readonly values: Map<string, string[]>;
  needed: boolean;
  at: number;
}

/**
 * Reads the words of a command as its program would, by the table alone. Undefined where a word is not in it: an
 * option that is unknown, abbreviated, or has a value that is not of its kind; an operand too many; a word that is
 * only known when it runs.
 */
export function prove(
  spec: Spec,
  command: SimpleCommand,
  scope: ShellScope,
  kinds: ValueKinds = common,
  from = 0,
): Reading | undefined {
  const pure = spec.operand === 'any';
  if (command.open && !pure) return undefined;
  const walk: Walk = { spec, command, scope, kinds, at: from, ...nothingRead() };
  let ended = spec.raw;
  for (; walk.at < command.args.length; walk.at++) {
    const arg = command.args[walk.at] as Arg;
    const { value } = arg;
    if (!ended && value === '--' && arg.literal) ended = true;
    else if (!ended && isOption(value, spec) && !value.startsWith(UNKNOWN)) {
      if (!readOption(arg, walk)) return undefined;
    } else {
      if (!pure && !isOperand(arg, walk, ended)) return undefined;
      walk.operands.push(arg);
      ended ||= spec.first;
    }
  }
  const count = walk.operands.length;
  if (count < spec.least || count > spec.most || (spec.needs && !walk.needed)) return undefined;
  return walk;
}

const nothingRead = (): Pick<Walk, 'operands' | 'values' | 'needed'> => ({
  operands: [],
  values: new Map(),
  needed: false,
});

/** Where the first operand stands behind options that are all in the table. Undefined where one is not. */
export function provenUntil(
  spec: Spec,
  command: SimpleCommand,
  scope: ShellScope,
  from = 0,
  kinds: ValueKinds = common,
): number | undefined {
  const walk: Walk = { spec, command, scope, kinds, at: from, ...nothingRead() };
  for (; walk.at < command.args.length; walk.at++) {
    const arg = command.args[walk.at] as Arg;
    if (arg.value === '--' && arg.literal) {
      walk.at++;
      break;
    }
    if (!isOption(arg.value, spec)) break;
    if (!readOption(arg, walk)) return undefined;
  }
  return spec.needs && !walk.needed ? undefined : walk.at;
}

const isKnown = ({ value, literal }: Arg): boolean => literal && !value.includes(UNKNOWN);

const isOption = (value: string, spec: Spec): boolean =>
  value.charCodeAt(0) === 45 && (value.length > 1 || spec.options.has('-'));

/** Kinds of what is opened here, and so may be what a variable is known to hold. */
const opens = new Set(['file', 'files', 'shown']);

/** An operand is known, is no option in disguise, and is of its kind. */
function isOperand(arg: Arg, { spec, scope, kinds }: Walk, ended: boolean): boolean {
  const { value } = arg;
  // What `<( … )` runs is judged by itself; what is read there is what it prints.
  if (value === UNKNOWN && opens.has(spec.operand) && /^<\(.*\)$/s.test(arg.text)) return true;
  if (value.includes(UNKNOWN)) return false;
  if (!arg.literal && (!opens.has(spec.operand) || /[\s*?[]/.test(value))) return false;
  // A pattern may become several words, and one that begins with its wildcard an option.
  if (arg.glob && (spec.most < Number.POSITIVE_INFINITY || (!ended && /^[*?[]/.test(value)))) return false;
  if (arg.glob && opens.has(spec.operand) && !isShownPattern(value, scope)) return false;
  return kindOf(spec.operand, kinds)(value, scope);
}

function readOption(arg: Arg, walk: Walk): boolean {
  const { value } = arg;
  const { spec } = walk;
  if (!isKnown(arg)) return false;
  const long = spec.single || value.startsWith('--') || value === '-';
  if (!long) return !arg.glob && readLetters(value, walk);
  const equals = value.indexOf('=');
  const written = equals === -1 ? value : value.slice(0, equals);
  const name = spec.single ? written.replace(/^--?/, '') : written;
  const taken = spec.options.get(name);
  if (!taken || (arg.glob && (equals === -1 || /[*?[]/.test(written)))) return false;
  if (equals === -1) return taken.values === 'maybe' ? note(name, taken, '', walk) : next(name, taken, walk);
  if (taken.values === 0 || taken.values === 2) return false;
  return isValue(taken, value.slice(equals + 1), walk) && note(name, taken, value.slice(equals + 1), walk);
}

/** `-ab`, `-n5`, `-bn 5`: letters until one takes a value. */
function readLetters(value: string, walk: Walk): boolean {
  for (let i = 1; i < value.length; i++) {
    const name = `-${value[i]}`;
    const taken = walk.spec.options.get(name);
    if (!taken) return false;
    const rest = value.slice(i + 1);
    if (taken.values !== 0 && (rest !== '' || taken.values === 'maybe'))
      return (
        (rest === '' || (!taken.apart && !isBehind(walk) && isValue(taken, rest, walk))) &&
        note(name, taken, rest, walk)
      );
    if (taken.values !== 0) return next(name, taken, walk);
    note(name, taken, '', walk);
  }
  return true;
}

/** Behind an operand, where not every program still reads options. */
const isBehind = ({ operands, spec }: Walk): boolean =>
  operands.length > 0 && spec.most < Number.POSITIVE_INFINITY && !spec.permutes;

/** The values that are the next words. */
function next(name: string, taken: Taken, walk: Walk): boolean {
  if (taken.values === 0) return note(name, taken, '', walk);
  if (isBehind(walk)) return false;
  for (let left = taken.values === 2 ? 2 : 1; left > 0; left--) {
    const arg = walk.command.args[++walk.at];
    if (!arg || !isKnown(arg) || arg.glob || !isValue(taken, arg.value, walk)) return false;
    note(name, taken, arg.value, walk);
  }
  return true;
}

const isValue = (taken: Taken, value: string, { kinds, scope }: Walk): boolean =>
  kindOf(taken.kind, kinds)(value, scope);

function note(name: string, taken: Taken, value: string, walk: Walk): true {
  walk.needed ||= taken.needed;
  const before = walk.values.get(name);
  if (before) before.push(value);
  else walk.values.set(name, [value]);
  return true;
}

function kindOf(name: string, kinds: ValueKinds): ValueKind {
  const kind = kinds[name] ?? common[name];
  if (!kind) throw new Error(`the tables of what is safe know no kind called ${name}`);
  return kind;
}
