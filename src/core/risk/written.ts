import { targetsOf, writesFiles } from '../shell/index.ts';
import { gitVerb, operands, option, optionValues } from './args.ts';
import type { Arg, SimpleCommand } from './types.ts';

/** Files that a command writes by its own options or operands, for the rules about paths. */
export function writtenPaths(command: SimpleCommand): Arg[] {
  const { name, args } = command;
  if (!writesFiles(name) && !fetchers.test(name)) return [];
  if (name === 'git') return cloned(command);
  const words = args.map(({ value, glob }) => ({ value, matched: glob }));
  const found = targetsOf(name, words).flatMap(({ index, skip, writes, mode }) => {
    const arg = args[index];
    return writes && !mode && arg ? [{ ...arg, value: arg.value.slice(skip) }] : [];
  });
  return fetchers.test(name) ? [...downloads(command), ...found] : found;
}

const fetchers = /^(?:curl|wget2?|aria2c|axel|fetch|lwp-download|git|hg|svn|gh)$/;

/** The folder that a copy of a repository is put into. */
function cloned(command: SimpleCommand): Arg[] {
  const { verb, rest } = gitVerb(command);
  if (verb !== 'clone') return [];
  const [from, to] = operands(
    { ...command, args: rest },
    '-b --branch --depth -o --origin -c --config -j --jobs --reference --template -u --upload-pack',
  );
  if (!from) return [];
  return [to ?? { ...from, value: from.value.replace(/\/+$|(?:\.git)?\/*$/g, '').replace(/^.*[/:]/, '') }];
}

/** The file that a download is saved as when it keeps its own name. */
function downloads(command: SimpleCommand): Arg[] {
  const named =
    command.name !== 'curl'
      ? optionValues(command, '-O', '--output-document').length > 0
      : option(command, 'O', 'remote-name') === undefined;
  if (named) return [];
  return operands(command, '-P -o -H -X -d')
    .filter((arg) => /[/.]/.test(arg.value))
    .map((arg) => ({ ...arg, value: arg.value.replace(/[?#].*$/, '').replace(/^.*\//, '') || 'index.html' }));
}
