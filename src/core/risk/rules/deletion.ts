import { UNKNOWN } from '../../shell/index.ts';
import { exactOption, operands, option, optionValue, ownOption } from '../args.ts';
import { isMadeAgain, isVital } from '../paths.ts';
import type { Arg, CommandRule, SimpleCommand, Where } from '../types.ts';

const removers =
  'rm srm grm del rd erase rimraf trash trash-put gio unlink rmdir shred wipe del-cli safe-rm nwipe scrub'.split(
    ' ',
  );

const vital = (args: readonly Arg[], where: Where): Arg | undefined =>
  args.find((arg) => isVital(arg.value.replaceAll(UNKNOWN, '…'), where));

const isRecursive = (command: SimpleCommand): boolean => option(command, 'rR', 'recursive') !== undefined;

/** find with `-delete` or an `-exec rm` and nothing that narrows what it finds. */
function findsAll(command: SimpleCommand, where: Where): Arg | undefined {
  if (!command.args.some((arg) => arg.value === '-delete')) return undefined;
  if (
    command.args.some((arg) =>
      /^-(?:i?name|i?path|i?regex|newer|[amc]time|[amc]min|size|user|empty|type|links|perm)/.test(arg.value),
    )
  )
    return undefined;
  return vital(operands(command).slice(0, 3), where);
}

/** The folder that a tool is told to empty before it fills it. */
function emptied(command: SimpleCommand): Arg | undefined {
  const has = (...names: string[]): boolean => exactOption(command, ...names) !== undefined;
  const words = command.args.map(({ value }) => value);
  switch (command.name) {
    case 'cargo':
      return words.includes('clean') ? optionValue(command, '--target-dir') : undefined;
    case 'vite':
      return has('--emptyOutDir') ? optionValue(command, '--outDir') : undefined;
    case 'virtualenv':
      return has('--clear') ? operands(command, '-p --python').at(-1) : undefined;
    case 'uv':
      return words[0] === 'venv' && has('--clear', '-c')
        ? operands(command, '-p --python').slice(1)[0]
        : undefined;
    default:
      return words[words.indexOf('-m') + 1] === 'venv' && has('--clear')
        ? operands(command).at(-1)
        : undefined;
  }
}

export const deletionRules: readonly CommandRule[] = [
  {
    id: 'empties-folder',
    level: 'dangerous',
    sentence: 'Empties a folder that is named, whatever is in it, before it is filled anew.',
    names: ['cargo', 'vite', 'virtualenv', 'uv', 'python', 'python3'],
    match(command) {
      const folder = emptied(command);
      return folder && !isMadeAgain(`${folder.value}/x`) ? folder : undefined;
    },
  },
  {
    id: 'delete-vital',
    level: 'blocked',
    sentence: 'Deletes, moves away or empties the whole system, home, or a folder above the workspace.',
    names: [...removers, 'find', 'mv', 'rsync'],
    match(command, where) {
      const { name } = command;
      if (name === 'find') return findsAll(command, where);
      if (name === 'mv') {
        const target = optionValue(command, '-t', '--target-directory');
        const all = operands(command, '-t --target-directory -S --suffix');
        return vital(target ? all : all.slice(0, -1), where);
      }
      if (name === 'rsync')
        return option(command, '', 'delete') ? vital(operands(command).slice(-1), where) : undefined;
      const recursive =
        isRecursive(command) ||
        exactOption(command, '--no-preserve-root', '/s', '/S') ||
        name === 'rimraf' ||
        name === 'gio';
      return recursive ? vital(operands(command), where) : undefined;
    },
  },
  {
    id: 'delete',
    level: 'dangerous',
    sentence: 'Deletes files.',
    names: [...removers, 'find', 'gfind', 'bfs', 'fd', 'rename', 'cmake'],
    match(command) {
      if (/^(?:g?find|bfs)$/.test(command.name)) return command.args.find((arg) => arg.value === '-delete');
      if (command.name === 'cmake')
        return command.args.find(
          (arg, i) =>
            command.args[i - 1]?.value === '-E' && /^(?:rm|remove|remove_directory)$/.test(arg.value),
        );
      if (command.name === 'gio')
        return command.args[0]?.value === 'trash' || command.args[0]?.value === 'remove';
      if (command.name === 'fd' || command.name === 'rename') return undefined;
      return (
        !command.args.every((arg) => arg.value === '--version') || command.args.length === 0 || command.open
      );
    },
  },
  {
    id: 'empty-file',
    level: 'dangerous',
    sentence: 'Cuts files short or moves them into nothing.',
    names: ['truncate', 'mv', 'cp', 'install', 'fallocate'],
    match(command) {
      const { name, args } = command;
      if (name === 'truncate') return true;
      if (name === 'fallocate') return option(command, 'pzc', 'punch-hole', 'zero-range', 'collapse-range');
      // One file is kept by the checkpoint; how many these are is only known when it runs.
      const many =
        name === 'mv' || command.open || args.some((arg) => arg.value.includes(UNKNOWN) || arg.glob);
      return many ? args.find((arg) => arg.value === '/dev/null') : undefined;
    },
  },
  {
    id: 'archive-deletes',
    level: 'dangerous',
    sentence: 'Packs files and deletes them, deletes out of an archive, or unpacks over what is in its way.',
    names: 'tar gtar bsdtar zip 7z 7za 7zr 7zz rar ar unzip unar cpio pax'.split(' '),
    match(command) {
      const { name, args } = command;
      const first = args[0]?.value ?? '';
      if (/tar$/.test(name)) {
        const cluster = !first.startsWith('-') && /^[A-Za-z]+$/.test(first) && /[xtcruA]/.test(first);
        return (
          command.args.find((arg) =>
            /^--(?:rem|recursive-u|unlink-f|dele|abs)|^-(?!-)[A-Za-z]*[PU]/.test(arg.value),
          ) ?? (cluster && /[PU]/.test(first) ? args[0] : undefined)
        );
      }
      if (name === 'zip')
        return command.args.find((arg) => /^(?:-(?!-|T)\w*[dm]\w*|--(?:mov|del))/.test(arg.value));
      if (/^7z/.test(name))
        return /^d$/.test(first) ? args[0] : command.args.find((arg) => arg.value === '-sdel');
      if (name === 'rar')
        return /^(?:d|m|mf|df)$/.test(first)
          ? args[0]
          : command.args.find((arg) => /^-d[frw]$/.test(arg.value));
      if (name === 'ar') return /^-?[a-z]*d/.test(first) ? args[0] : undefined;
      if (name === 'unzip') return command.args.find((arg) => arg.value === '-:');
      if (name === 'cpio') return command.args.find((arg) => /^--absolute/.test(arg.value));
      return undefined;
    },
  },
  {
    id: 'mirror-deletes',
    level: 'dangerous',
    sentence: 'Mirrors a folder and deletes what the source does not have.',
    names: ['rsync', 'rclone', 'robocopy', 'lftp', 'azcopy', 'gsutil', 'unison', 's3cmd', 'mc', 'aws'],
    match(command) {
      if (ownOption(command, /^(?:--dry-?run|-n)$/, /^-[fTBM]$/)) return undefined;
      const verb = operands(command)[0]?.value;
      if (command.name === 'rsync')
        return command.args.find((arg) => /^--(?:del|delete|remove-source)/.test(arg.value));
      if (command.name === 'rclone')
        return verb === 'sync' || verb === 'move' || verb === 'bisync' ? true : undefined;
      return command.args.find(
        (arg) =>
          /^(?:--delete(?!-destination=false)[\w-]*(?:=true)?|--remove|--mirror|\/MIR|\/PURGE|-d)$/i.test(
            arg.value,
          ) && !(command.name === 'gsutil' && verb !== 'rsync'),
      );
    },
  },
];
