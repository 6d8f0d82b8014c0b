import { operands, option, optionValue, optionValues } from '../args.ts';
import { isGuarded, isOutside, isOwnConfig, isStore } from '../paths.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';
import { temporaryProgram } from '../variables.ts';

const temporary = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)\//;
const address = /^(?:git\+)?(?:https?|ftp|ssh):\/\/|^git\+|^(?:github|gitlab|bitbucket|gist|sourcehut):\w/;

/** Commands of ours that only a person may give; through the last two a client may decide, where a person allows it. */
const deciding =
  /^(?:approve|deny|trust|answer|mode|skip|retry|hint|resume|pause|cancel|edit|undo|gc|mcp|acp)$/;

const onlyRead =
  /^(?:ls|cat|stat|du|df|file|wc|head|tail|echo|printf|test|\[|cd|find|tree|realpath|grep|rg)$/;

/** Git looks at what is there, or keeps it. */
const leavesAlone = (command: SimpleCommand): boolean =>
  command.name === 'git' &&
  /^(?:add|diff|log|show|status|blame|commit)$/.test(operands(command)[0]?.value ?? '');

/** The word that names such a path to a program which may do more than read it. */
function touched(command: SimpleCommand, isOurs: (path: string) => boolean): Arg | undefined {
  if (onlyRead.test(command.name) && !command.args.some((arg) => /^-(?:delete|exec|fprint)/.test(arg.value)))
    return undefined;
  return command.args.find(
    (arg) =>
      arg.value.length > 3 &&
      /planwright|\/|^\./.test(arg.value) &&
      isOurs(arg.value.replace(/^[\w-]*=/, '')),
  );
}

export const systemRules: readonly CommandRule[] = [
  {
    id: 'store-touched',
    level: 'blocked',
    sentence: "Touches Planwright's own store, where approvals and the journal of runs are kept.",
    match: (command, where) => touched(command, (path) => isStore(path, where)),
  },
  {
    id: 'guard-touched',
    level: 'blocked',
    sentence: 'Gives the settings by which an agent asks the guard to a program that may change them.',
    match: (command, where) =>
      leavesAlone(command) ? undefined : touched(command, (path) => isGuarded(path, where)),
  },
  {
    id: 'configuration-touched',
    level: 'dangerous',
    sentence:
      'Gives the configuration or the rules that Planwright itself obeys to a program that may change them.',
    reversible: true,
    match: (command, where) =>
      leavesAlone(command) ? undefined : touched(command, (path) => isOwnConfig(path, where)),
  },
  {
    id: 'own-approval',
    level: 'blocked',
    sentence: 'Lets a plan approve itself or change what Planwright allows.',
    match(command) {
      const at = /^planwright(?:\.[cm]?[jt]s)?$/.test(command.name)
        ? 0
        : /^(?:node|bun|deno|npx|bunx|pnpm|yarn|npm)$/.test(command.name)
          ? command.args.findIndex((arg) => /(?:^|\/)planwright(?:@[\w.-]+|\.[cm]?[jt]s)?$/.test(arg.value)) +
            1
          : -1;
      if (at < 0 || (at === 0 && !/^planwright/.test(command.name))) return undefined;
      const [verb, ...rest] = operands({ ...command, args: command.args.slice(at) });
      if (!verb) return undefined;
      if (deciding.test(verb.value)) return verb;
      const writes = {
        rules: /^(?!list$)/,
        config: /^(?:un)?set$/,
        memory: /^(?!list$)/,
        task: /^(?!list$|show$|logs$|wait$|comment$|new$)/,
        project: /^(?!list$)/,
        guard: /^(?:install|uninstall|allow)$/,
        token: /^(?!list$)/,
        schedule: /^(?!list$|show$)/,
        fleet: /^setup$/,
      }[verb.value];
      // Which words are the values of options is not known here.
      const said = /^(?:config|guard)$/.test(verb.value) ? rest : rest.slice(0, 1);
      return said.some(({ value }) => writes?.test(value)) ? verb : undefined;
    },
  },
  {
    ...temporaryProgram,
    match: (command) =>
      temporary.test(command.path) ||
      (command.name === 'git' &&
        command.args.find((arg) => /^--exec-path=/.test(arg.value) && temporary.test(arg.value.slice(12)))),
  },
  {
    id: 'network-program',
    level: 'dangerous',
    sentence: 'Runs a program, or applies a description of one, straight from a network address.',
    needs: ['network'],
    match(command) {
      if (address.test(command.path)) return true;
      if (/^(?:kubectl|k|oc|helm|kustomize|ansible-playbook|docker-compose|flux|argocd)$/.test(command.name))
        return command.args.some((arg) =>
          /^(?:apply|create|replace|plugin|playbook|install|run)$/.test(arg.value),
        )
          ? command.args.find((arg, i) =>
              /^(?:kubectl|k|oc)$/.test(command.name)
                ? address.test(arg.value.replace(/^(?:-f|--filename=|-k|--kustomize=)/, ''))
                : /^http:/.test(arg.value) && i > 0,
            )
          : undefined;
      if (
        !/^(?:deno|bun|node|php|java|javaws|nix|go|mshta|iex|osascript|nvim|vim|R|Rscript|emacs|uvx|pipx|npx|bunx)$/.test(
          command.name,
        )
      )
        return undefined;
      const [verb, ...rest] = operands(command, '--from -p --package --with --python');
      const files = /^(?:run|dlx|develop|shell|install|x)$/.test(verb?.value ?? '')
        ? rest
        : verb
          ? [verb]
          : [];
      return (
        files.slice(0, 1).find((arg) => address.test(arg.value)) ??
        optionValues(command, '--from', '-p', '--package', '--with', '-S', '-u').find((arg) =>
          address.test(arg.value),
        )
      );
    },
  },
  {
    id: 'command-remapped',
    level: 'dangerous',
    sentence: 'Makes the name of a command mean another program.',
    names: ['hash', 'enable', 'update-alternatives', 'builtin'],
    match: (command) =>
      command.name === 'hash'
        ? option(command, 'p')
        : command.name === 'enable'
          ? option(command, 'f')
          : command.args.find((arg) =>
              /^--(?:set|install|config|auto|remove|remove-all|set-selections|all|slave)$/.test(arg.value),
            ),
  },
  {
    id: 'kernel',
    level: 'dangerous',
    sentence: 'Changes the kernel, its modules, its security layer or how the machine starts.',
    needs: ['privilege'],
    names:
      'insmod rmmod modprobe depmod grub-install update-grub grub-mkconfig efibootmgr setenforce semanage apparmor_parser aa-disable aa-complain kexec nvram csrutil spctl bootctl dracut update-initramfs mokutil bless timedatectl hwclock setpci wrmsr i2cset flashrom devmem devmem2 ipmitool fwupdmgr'.split(
        ' ',
      ),
    match: (command) =>
      !/^(?:status|--status|-v|--version|--help|--assess|-a|--list|show|list|-p|--show)$/.test(
        command.args[0]?.value ?? '',
      ) &&
      !(/^(?:timedatectl|hwclock|efibootmgr|nvram)$/.test(command.name) && command.args.length === 0) &&
      !(command.name === 'setpci' && !command.args.some((arg) => arg.value.includes('='))) &&
      !(command.name === 'fwupdmgr' && /^(?:get-|refresh)/.test(command.args[0]?.value ?? '')),
  },
  {
    id: 'defences-off',
    level: 'dangerous',
    sentence: 'Turns off logging or history, which would hide what is done next.',
    names: 'history auditctl journalctl dmesg logrotate wevtutil unset set shopt fc tmutil export'.split(' '),
    match(command) {
      if (command.name === 'export')
        return command.args.find((arg) =>
          /^HIST(?:FILE|SIZE|FILESIZE)=(?:\/dev\/null|0|-1|)$/.test(arg.value),
        );
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
    match(command, where) {
      if (command.name === 'ssh-add') return option(command, 'Dd');
      if (command.name === 'ssh-copy-id') return true;
      const file = optionValue(command, '-f');
      return !option(command, 'lFBye') && (option(command, 'R') || !file || isOutside(file.value, where));
    },
  },
  {
    id: 'mac-settings',
    level: 'dangerous',
    sentence: 'Deletes or overwrites settings of the system or of an application.',
    names: ['defaults', 'profiles', 'nvram', 'plutil', 'gsettings', 'dconf', 'reg', 'xattr'],
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
    match: (command) => /^(?:DROP|TRUNCATE|FLUSHALL|FLUSHDB)$/.test(command.path),
  },
];
