import {
  gitSettingOf,
  operands as operandsOf,
  gitSettings as settingsOf,
  optionValues as valuesOf,
  gitVerb as verbOf,
} from '../shell/index.ts';
import type { Arg, SimpleCommand } from './types.ts';

/**
 * The option that is one of these: `short` letters (also inside a cluster such as `-rf`), or `long` names
 * (also abbreviated, `--rec`, and with `=value`).
 */
export function option(command: SimpleCommand, short: string, ...long: string[]): Arg | undefined {
  for (const arg of command.args) {
    const value = arg.value;
    if (value === '--') return undefined;
    if (value.length < 2 || value.charCodeAt(0) !== 45) continue;
    if (value.charCodeAt(1) === 45) {
      if (long.length === 0) continue;
      const equals = value.indexOf('=');
      const name = equals === -1 ? value.slice(2) : value.slice(2, equals);
      if (name !== '' && long.some((full) => full.startsWith(name))) return arg;
    } else {
      for (let i = 1; i < value.length; i++) {
        if (short.includes(value[i] ?? '')) return arg;
      }
      if (long.includes(value.slice(1))) return arg;
    }
  }
  return undefined;
}

/** An option written exactly so, alone or with `=value`. */
export function exactOption(command: SimpleCommand, ...names: string[]): Arg | undefined {
  return command.args.find((arg) =>
    names.some((name) => arg.value === name || (name.startsWith('--') && arg.value.startsWith(`${name}=`))),
  );
}

/** Options of many programs whose value may be any word, one that looks like an option too. */
const takesAny =
  /^(?:-[oemtbuc]|--?(?:exclude|exclude-from|include|push-option|receive-pack|exec|repo|tag|tags|registry|expire|var|set|message|filter|pathspec-from-file|rsh|extra-vars|title|body|notes))$/;

/**
 * The option of this shape that holds for the whole command: not behind `--`, where it is a name, and not the value
 * of the option before it.
 */
export function ownOption({ args }: SimpleCommand, shape: RegExp, valued?: RegExp): Arg | undefined {
  const dashes = args.findIndex(({ value }) => value === '--');
  return args.find((arg, i) => {
    if ((dashes !== -1 && i > dashes) || !shape.test(arg.value)) return false;
    const before = args[i - 1]?.value ?? '';
    return !takesAny.test(before) && !valued?.test(before);
  });
}

const dryRun =
  /^(?:--?dry-?run(?:=(?!none|false|0|no$).*)?|--what-?if|--noop|--simulate|--just-print|--no-execute-changeset)$/;

/** It only says what it would do. */
export const isDryRun = (command: SimpleCommand): boolean => ownOption(command, dryRun) !== undefined;

/** It shows how it is used: asked so by its last word. */
export const isHelp = (command: SimpleCommand): boolean =>
  ownOption({ ...command, args: command.args.slice(-2) }, /^(?:--help|-h)$/) === command.args.at(-1) &&
  command.args.length > 0;

/** Options of the whole command that mean that nothing is done, some of them in one program only. */
export function isDry(command: SimpleCommand): boolean {
  if (isDryRun(command) || isHelp(command)) return true;
  if (command.args.length === 1 && command.args[0]?.value === '--version') return true;
  if (/^(?:apt|apt-get|aptitude)$/.test(command.name))
    return ownOption(command, /^(?:-s|--print-uris|--download-only|-d)$/) !== undefined;
  return /^ansible/.test(command.name) && ownOption(command, /^(?:--check|-C)$/) !== undefined;
}

let last: { args: readonly Arg[]; words: readonly string[] } | undefined;

/** The command's words as the shell room reads them. One command is asked about many times in a row. */
export function wordsOf({ name, args }: SimpleCommand): readonly string[] {
  if (last?.args !== args || last.words[0] !== name)
    last = { args, words: [name, ...args.map((arg) => arg.value)] };
  return last.words;
}

/** Arguments that are not options. `valued` names the options whose next argument is their value (`'-u --user'`). */
export const operands = (command: SimpleCommand, valued = ''): Arg[] =>
  operandsOf(wordsOf(command), valued).map((at) => command.args[at - 1] as Arg);

/** The value of an option: `-o x`, `-ox`, `--output x`, `--output=x`. */
export const optionValue = (command: SimpleCommand, ...names: string[]): Arg | undefined =>
  optionValues(command, ...names)[0];

export const optionValues = (command: SimpleCommand, ...names: string[]): Arg[] =>
  valuesOf(wordsOf(command), names).map(({ at, skip }) => {
    const arg = command.args[at - 1] as Arg;
    return skip === 0 ? arg : { ...arg, value: arg.value.slice(skip) };
  });

/** The subcommand of a git call, how many arguments come before it, and what follows it. */
export function gitVerb(command: SimpleCommand): { verb: string; at: number; rest: readonly Arg[] } {
  const { verb, at } = verbOf(wordsOf(command));
  return { verb, at: at - 1, rest: command.args.slice(at) };
}

/** A setting that a git call makes, in its words or by variables before it. */
export interface GivenSetting {
  readonly key: string;
  /** Undefined where it is only known when it runs. */
  readonly value: string | undefined;
  /** It holds for later calls too. */
  readonly stays: boolean;
  /** What makes it. */
  readonly arg: Arg;
}

export function gitSettings(command: SimpleCommand): GivenSetting[] {
  const inWords = settingsOf(wordsOf(command)).map(({ key, by, at, value }) => {
    const arg = command.args[at - 1] as Arg;
    const isKnown = value !== undefined && arg.literal;
    return { key, value: isKnown ? arg.value.slice(value.skip) : undefined, stays: by !== 'call', arg };
  });
  const before = new Map(command.env.map(({ name, value }) => [name, value]));
  const inVariables = [...before].flatMap(([name, { value: key }]) => {
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    const arg = before.get(`GIT_CONFIG_VALUE_${number}`);
    return arg ? [{ key, value: arg.literal ? arg.value : undefined, stays: false, arg }] : [];
  });
  // Of git's own the assignment speaks, whatever it is made for.
  const inOthers = command.env.flatMap(({ name, value: arg }) => {
    const key = name.startsWith('GIT_') ? undefined : gitSettingOf(name);
    return key ? [{ key, value: arg.literal ? arg.value : undefined, stays: false, arg }] : [];
  });
  return [...inWords, ...inVariables, ...inOthers];
}

/** All words after the command name, one space between: for looking at, not for running. */
export const joined = (command: SimpleCommand): string => command.args.map((arg) => arg.value).join(' ');
