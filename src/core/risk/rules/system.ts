import { exactOption, operands, option, optionValues } from '../args.ts';
import { isStore } from '../paths.ts';
import { isSecret, secretRead } from '../secret-paths.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

/** Programs that print, copy, search or change the content of the files they are given. */
const readers = new Set(
  'cat tac nl head tail less more most bat batcat view vi vim nvim nano emacs ed ex pico code strings xxd od hexdump hd base64 base32 uuencode cut awk gawk mawk nawk sed grep egrep fgrep rg ag ack zgrep sort uniq tr wc diff cmp comm paste join fold fmt column cp mv install ln rsync scp tar zip 7z gzip gpg openssl dd tee jq yq xargs python perl ruby node curl wget http pbcopy xclip xsel open bat tee split csplit rev shuf md5sum sha256sum sha1sum iconv pr expand gsutil rclone s3cmd restic borg zcat bzcat xzcat file-roller printf mapfile plutil security sqlite3 select dump'.split(
    ' ',
  ),
);

export const systemRules: readonly CommandRule[] = [
  {
    ...secretRead,
    match(command, where) {
      if (!readers.has(command.name) && !/^python/.test(command.name)) return undefined;
      const searches =
        /^(?:[efz]?grep|rg|ag|ack|awk|gawk|mawk|nawk|sed|jq|yq|printf)$/.test(command.name) &&
        !command.args.some((arg) =>
          /^(?:-e|-f|--regexp|--file|--exclude-from|--include-from)/.test(arg.value),
        );
      let skipped = !searches;
      return command.args.find((arg, i) => {
        if (/^(?:-o|--output|-i)$/.test(command.args[i - 1]?.value ?? '') && command.name !== 'curl')
          return false;
        if (!skipped && !arg.value.startsWith('-')) {
          skipped = true;
          return false;
        }
        return /^-/.test(arg.value) && !arg.value.includes('=')
          ? /^-[a-zA-Z]@?(?:~|\/).*/.test(arg.value) && isSecret(arg.value.slice(2), where)
          : isSecret(arg.value.replace(/^--?[\w-]+=/, '').replace(/^.*=@/, ''), where);
      });
    },
  },
  {
    id: 'secret-store',
    level: 'dangerous',
    sentence: 'Prints a secret out of a keychain or a secret store.',
    names: ['security', 'secret-tool', 'pass', 'keyctl', 'gpg', 'bw', 'lpass'],
    hits: [
      'security find-generic-password -w -s x',
      'secret-tool lookup a b',
      'pass show x',
      'gpg --export-secret-keys',
    ],
    misses: ['security list-keychains', 'gpg --list-keys', 'pass ls'],
    match: (command) =>
      exactOption(command, '-w', '-g', '--export-secret-keys', '--export-secret-subkeys') ??
      command.args.find(
        (arg, i) =>
          i === 0 &&
          /^(?:dump-keychain|export|lookup|show|get|print|read|delete-.*|execute-with-privileges|authorizationdb)$/.test(
            arg.value,
          ),
      ),
  },
  {
    id: 'store-touched',
    level: 'blocked',
    sentence: "Touches Planwright's own store, where approvals and the journal of runs are kept.",
    hits: [
      'sqlite3 ~/.local/share/planwright/journal.db "update x"',
      'mv ~/.local/share/planwright /tmp',
      'chmod 777 ~/.local/state/planwright',
    ],
    misses: [
      'cat ~/.local/share/planwright/journal.db',
      'ls -la ~/.local/share/planwright',
      'echo ~/.local/share/planwright',
    ],
    match(command, where) {
      if (
        /^(?:ls|cat|stat|du|df|file|wc|head|tail|echo|printf|test|\[|cd|find|tree|realpath|grep|rg)$/.test(
          command.name,
        ) &&
        !command.args.some((arg) => /^-(?:delete|exec|fprint)/.test(arg.value))
      )
        return undefined;
      return command.args.find(
        (arg) =>
          arg.value.length > 3 &&
          /planwright|\//.test(arg.value) &&
          isStore(arg.value.replace(/^[\w-]*=/, ''), where),
      );
    },
  },
  {
    id: 'own-approval',
    level: 'blocked',
    sentence: 'Lets a plan approve itself or change what Planwright allows.',
    hits: [
      'planwright approve',
      'npx planwright trust .',
      'node bin/planwright.js approve x',
      'planwright rules add x',
    ],
    misses: ['planwright waiting', 'planwright risk "ls"', 'echo planwright approve', 'planwright rules'],
    match(command) {
      const at = /^planwright(?:\.[cm]?[jt]s)?$/.test(command.name)
        ? 0
        : /^(?:node|bun|deno|npx|bunx|pnpm|yarn|npm)$/.test(command.name)
          ? command.args.findIndex((arg) => /(?:^|\/)planwright(?:@[\w.-]+|\.[cm]?[jt]s)?$/.test(arg.value)) +
            1
          : -1;
      if (at < 0 || (at === 0 && !/^planwright/.test(command.name))) return undefined;
      const [verb, next] = operands({ ...command, args: command.args.slice(at) });
      if (!verb) return undefined;
      return /^(?:approve|deny|trust)$/.test(verb.value) ||
        (verb.value === 'rules' && next !== undefined && next.value !== 'list')
        ? verb
        : undefined;
    },
  },
  {
    id: 'temporary-program',
    level: 'dangerous',
    sentence: 'Runs a program out of a folder where anybody can put one.',
    hits: ['/tmp/x/rg --files', '/var/tmp/a', '/dev/shm/a'],
    misses: ['/usr/bin/rg x', './rg x', 'ls /tmp/x'],
    match: (command) => /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)\//.test(command.path),
  },
  {
    id: 'command-remapped',
    level: 'dangerous',
    sentence: 'Makes the name of a command mean another program.',
    names: ['hash', 'enable', 'update-alternatives', 'builtin'],
    hits: ['hash -p /bin/rm ls; ls x', 'enable -f ./evil.so evil'],
    misses: ['hash -r', 'enable -n echo', 'hash git'],
    match: (command) =>
      command.name === 'hash'
        ? option(command, 'p')
        : command.name === 'enable'
          ? option(command, 'f')
          : undefined,
  },
  {
    id: 'kernel',
    level: 'dangerous',
    sentence: 'Changes the kernel, its modules, its security layer or how the machine starts.',
    needs: ['privilege'],
    names:
      'insmod rmmod modprobe depmod grub-install update-grub grub-mkconfig efibootmgr setenforce semanage apparmor_parser aa-disable aa-complain kexec nvram csrutil spctl bootctl dracut update-initramfs mokutil bless timedatectl hwclock'.split(
        ' ',
      ),
    hits: [
      'rmmod x',
      'setenforce 0',
      'grub-install /dev/sda',
      'efibootmgr -B -b 1',
      'csrutil disable',
      'spctl --master-disable',
    ],
    misses: ['lsmod', 'getenforce', 'csrutil status', 'timedatectl', 'timedatectl status'],
    match: (command) =>
      !command.args.some((arg) =>
        /^(?:status|--status|-v|--version|--help|--assess|-a|--list|show|list|-p|--show|-r)$/.test(arg.value),
      ) && !(/^(?:timedatectl|hwclock|efibootmgr|nvram)$/.test(command.name) && command.args.length === 0),
  },
  {
    id: 'defences-off',
    level: 'dangerous',
    sentence: 'Turns off logging or history, which would hide what is done next.',
    names: [
      'history',
      'auditctl',
      'journalctl',
      'dmesg',
      'logrotate',
      'wevtutil',
      'unset',
      'set',
      'fc',
      'tmutil',
    ],
    hits: [
      'history -c',
      'auditctl -e 0',
      'journalctl --vacuum-time=1s',
      'dmesg -C',
      'tmutil delete /x',
      'unset HISTFILE',
    ],
    misses: ['history', 'journalctl -u x', 'dmesg -T', 'unset FOO', 'tmutil listbackups'],
    match(command) {
      if (command.name === 'history') return option(command, 'cdw');
      if (command.name === 'unset') return command.args.find((arg) => /^HIST/.test(arg.value));
      if (command.name === 'set')
        return command.args.find((arg, i) => arg.value === 'history' && command.args[i - 1]?.value === '+o');
      if (command.name === 'tmutil')
        return command.args.find(
          (arg, i) =>
            i === 0 && /^(?:delete\w*|disable|removedestination|stopbackup|restore)$/i.test(arg.value),
        );
      if (command.name === 'dmesg')
        return option(command, 'CcDE', 'clear', 'read-clear', 'console-off', 'console-on');
      return command.args.find((arg) =>
        /^(?:-e0?|-D|--vacuum-\w+=?.*|--rotate|--flush|cl|clear-log)$/.test(arg.value),
      );
    },
  },
  {
    id: 'known-hosts',
    level: 'dangerous',
    sentence: 'Makes, replaces or forgets SSH keys.',
    names: ['ssh-keygen', 'ssh-copy-id', 'ssh-add'],
    hits: ['ssh-keygen -R h', 'ssh-keygen -f ~/.ssh/id_rsa', 'ssh-copy-id h', 'ssh-add -D'],
    misses: ['ssh-keygen -l', 'ssh-keygen -lf ~/.ssh/id_rsa.pub', 'ssh-add -l'],
    match: (command) =>
      command.name === 'ssh-add'
        ? option(command, 'Dd')
        : command.name === 'ssh-copy-id' || !option(command, 'lFBye'),
  },
  {
    id: 'mac-settings',
    level: 'dangerous',
    sentence: 'Deletes or overwrites settings of the system or of an application.',
    names: ['defaults', 'profiles', 'nvram', 'plutil', 'gsettings', 'dconf', 'reg', 'xattr'],
    hits: [
      'defaults delete com.apple.Finder',
      'dconf reset -f /',
      'reg delete HKLM\\x',
      'profiles remove -all',
    ],
    misses: ['defaults read', 'gsettings get a b', 'reg query HKLM', 'xattr f'],
    match: (command) =>
      command.name === 'xattr'
        ? option(command, 'c') && option(command, 'r')
        : operands(command)[0] &&
          command.args
            .slice(0, 2)
            .find((arg) =>
              /^-?(?:delete|remove|reset|reset-recursively|import|add|restore)$/i.test(arg.value),
            ),
  },
  {
    id: 'sql-by-hand',
    level: 'dangerous',
    sentence: 'Is a destructive SQL or Redis statement, not a shell command.',
    hits: ['DROP TABLE users;', 'TRUNCATE TABLE x', 'FLUSHALL'],
    misses: ['DESCRIBE users;', 'SELECT 1'],
    match: (command) => /^(?:DROP|TRUNCATE|FLUSHALL|FLUSHDB)$/.test(command.path),
  },
  {
    id: 'environment-dump',
    level: 'caution',
    sentence: 'Prints the environment, which usually holds secrets.',
    reversible: true,
    names: ['env', 'printenv', 'set', 'export', 'declare', 'typeset', 'compgen'],
    hits: ['printenv', 'env', 'set', 'export -p'],
    misses: ['env ls', 'printenv HOME', 'set -e'],
    match: (command) =>
      operands(command).length === 0 && !(/^(?:set)$/.test(command.name) && command.args.length > 0),
  },
  {
    id: 'secret-variable',
    level: 'caution',
    sentence: 'Prints a variable whose name says that it is a secret.',
    reversible: true,
    names: ['echo', 'printf', 'printenv', 'cat', 'tee'],
    hits: ['echo $GITHUB_TOKEN', 'printenv DB_PASSWORD', 'echo "$AWS_SECRET_ACCESS_KEY"'],
    misses: ['echo $HOME', 'printenv PATH', 'echo token'],
    match: (command) =>
      command.args.find(
        (arg) =>
          /\$\{?\w*(?:TOKEN|SECRET|PASSW|API_?KEY|PRIVATE_KEY|CREDENTIAL|ACCESS_KEY)\w*/i.test(arg.text) ||
          (command.name === 'printenv' && /TOKEN|SECRET|PASSW|KEY|CREDENTIAL/i.test(arg.value)),
      ),
  },
];

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
