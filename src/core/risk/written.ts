import { targetsOf, writesFiles } from '../shell/index.ts';
import { operands, option, optionValues } from './args.ts';
import type { Arg, SimpleCommand } from './types.ts';

/** Files that a command writes by its own options or operands, for the rules about paths. */
export function writtenPaths(command: SimpleCommand): Arg[] {
  const { name, args } = command;
  if (!writesFiles(name)) return [];
  const words = args.map(({ value, glob }) => ({ value, matched: glob }));
  const found = targetsOf(name, words).flatMap(({ index, skip, writes, mode }) => {
    const arg = args[index];
    return writes && !mode && arg ? [{ ...arg, value: arg.value.slice(skip) }] : [];
  });
  return name === 'curl' || name === 'wget' ? [...downloads(command), ...found] : found;
}

/** The file that a download is saved as when it keeps its own name. */
function downloads(command: SimpleCommand): Arg[] {
  const named =
    command.name === 'wget'
      ? optionValues(command, '-O', '--output-document').length > 0
      : option(command, 'O', 'remote-name') === undefined;
  if (named) return [];
  return operands(command, '-P -o -H -X -d')
    .filter((arg) => /[/.]/.test(arg.value))
    .map((arg) => ({ ...arg, value: arg.value.replace(/[?#].*$/, '').replace(/^.*\//, '') || 'index.html' }));
}
