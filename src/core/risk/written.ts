import { targetsOf } from '../shell/index.ts';
import { gitVerb, operands, option, optionValues } from './args.ts';
import type { Arg, SimpleCommand } from './types.ts';

/** What a command changes by its own options or operands, for the rules about paths. */
export interface WrittenPaths {
  readonly files: readonly Arg[];
  /** Who may use them changes, or they are folders in which it works: what they hold may or may not. */
  readonly others: readonly Arg[];
  /** On another host. */
  readonly remote: readonly Arg[];
}

export function writtenPaths(command: SimpleCommand): WrittenPaths {
  const { name, args } = command;
  const words = args.map(({ value, glob }) => ({ value, matched: glob }));
  const found = { files: [] as Arg[], others: [] as Arg[], remote: [] as Arg[] };
  for (const { index, skip, writes, mode, within, remote } of targetsOf(name, words)) {
    const arg = args[index];
    if (!arg || !(writes || within)) continue;
    const list = remote ? found.remote : mode || within ? found.others : found.files;
    list.push(skip === 0 ? arg : { ...arg, value: arg.value.slice(skip) });
  }
  if (name === 'git') found.files.push(...cloned(command));
  else if (fetchers.test(name)) found.files.unshift(...downloads(command));
  return found;
}

const fetchers = /^(?:curl|wget2?|aria2c|axel|fetch|lwp-download)$/;

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
  const into = optionValues(command, '-P', '--directory-prefix', '--output-dir')[0]?.value;
  const folder = into === undefined ? '' : `${into}/`;
  return operands(command, '-P -o -H -X -d')
    .filter((arg) => /[/.]/.test(arg.value))
    .map((arg) => ({
      ...arg,
      value: `${folder}${arg.value.replace(/[?#].*$/, '').replace(/^.*\//, '') || 'index.html'}`,
    }));
}
