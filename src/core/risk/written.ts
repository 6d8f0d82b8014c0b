import { operands, option, optionValues } from './args.ts';
import type { Arg, SimpleCommand } from './types.ts';

/** Files that a command writes by its own options or operands, for the rules about paths. */
export function writtenPaths(command: SimpleCommand): Arg[] {
  const call = command;
  const all = (valued = ''): Arg[] => operands(call, valued);
  switch (command.name) {
    case 'tee':
    case 'touch':
    case 'mkdir':
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
    case 'truncate':
    case 'vi':
    case 'vim':
    case 'nvim':
    case 'nano':
    case 'emacs':
    case 'pico':
    case 'ed':
    case 'ex':
    case 'sponge':
    case 'mkfifo':
    case 'mknod':
    case 'patch':
    case 'crudini':
      return all('-m --mode -s --size -o -i -c');
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
    case 'rsync':
    case 'scp': {
      const target = optionValues(call, '-t', '--target-directory');
      if (target.length > 0) return target;
      const found = all('-t -m -o -g -S -i -P -F -e --rsh --exclude --include --files-from --backup-dir');
      return command.name === 'mv' ? found : found.slice(-1);
    }
    case 'sed':
    case 'gsed':
    case 'perl':
      return command.args.some((arg) => /^-(?!-)[a-zA-Z]*i|^--in-place/.test(arg.value))
        ? all('-e -f -l').slice(
            command.args.some((arg) => /^-\w*[ef]$|^--expression/.test(arg.value)) ? 0 : 1,
          )
        : [];
    case 'curl':
    case 'wget':
      return [
        ...downloads(call),
        ...optionValues(
          call,
          '-o',
          '--output',
          '-O',
          '--output-document',
          '-P',
          '--directory-prefix',
          '--output-dir',
          '-c',
          '--cookie-jar',
          '-D',
          '--dump-header',
        ).filter((arg) => !/^(?:-|https?:)/.test(arg.value)),
      ];
    case 'dd':
      return command.args
        .filter((arg) => arg.value.startsWith('of='))
        .map((arg) => ({ ...arg, value: arg.value.slice(3) }));
    case 'tar':
    case 'unzip':
    case '7z':
      return optionValues(call, '-C', '--directory', '-d', '-o');
    case 'aria2c':
    case 'sort':
    case 'jq':
    case 'yq':
    case 'gcc':
    case 'ld':
      return optionValues(call, '-o', '--output');
    case 'git':
      return optionValues(call, '--output');
    default:
      return [];
  }
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
