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

/**
 * Arguments that are not options. `valued` names the options whose next argument is their value
 * (`'-u --user'`). Everything after `--` is an operand.
 */
export function operands(command: SimpleCommand, valued = ''): Arg[] {
  const takes = valuedSet(valued);
  const found: Arg[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const arg = command.args[i];
    if (!arg) break;
    if (arg.value === '--') {
      found.push(...command.args.slice(i + 1));
      break;
    }
    if (arg.value.startsWith('-') && arg.value.length > 1) {
      if (takes.has(arg.value)) i++;
    } else found.push(arg);
  }
  return found;
}

const sets = new Map<string, Set<string>>();

function valuedSet(valued: string): Set<string> {
  let set = sets.get(valued);
  if (!set) sets.set(valued, (set = new Set(valued.split(' ').filter(Boolean))));
  return set;
}

/** The value of an option: `-o x`, `-ox`, `--output x`, `--output=x`. */
export function optionValue(command: SimpleCommand, ...names: string[]): Arg | undefined {
  return optionValues(command, ...names)[0];
}

export function optionValues(command: SimpleCommand, ...names: string[]): Arg[] {
  const found: Arg[] = [];
  command.args.forEach((arg, i) => {
    for (const name of names) {
      const next = command.args[i + 1];
      if (arg.value === name) {
        if (next) found.push(next);
      } else if (name.startsWith('--')) {
        if (arg.value.startsWith(`${name}=`)) found.push(tail(arg, name.length + 1));
      } else if (arg.value.startsWith(name) && name.length === 2 && !arg.value.startsWith('--')) {
        found.push(tail(arg, arg.value[2] === '=' ? 3 : 2));
      } else if (
        name.length === 2 &&
        /^-[A-Za-z]{2,}$/.test(arg.value) &&
        arg.value.endsWith(name[1] ?? '-') &&
        next
      ) {
        found.push(next);
      }
    }
  });
  return found;
}

const tail = (arg: Arg, from: number): Arg => ({ ...arg, value: arg.value.slice(from) });

/** All words after the command name, one space between: for looking at, not for running. */
export const joined = (command: SimpleCommand): string => command.args.map((arg) => arg.value).join(' ');
