import { operands, option } from '../args.ts';
import type { CommandRule } from '../types.ts';

export const userRules: readonly CommandRule[] = [
  {
    id: 'user-change',
    level: 'dangerous',
    sentence: 'Adds, changes or removes users, groups or passwords.',
    needs: ['privilege'],
    names:
      'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup passwd chpasswd chage gpasswd vipw vigr newusers visudo dscl sysadminctl chsh chfn pw ipa smbpasswd htpasswd dsenableroot'.split(
        ' ',
      ),
    match: (command) =>
      command.name === 'dscl'
        ? (option(command, '', 'delete', 'create', 'append', 'change', 'merge', 'passwd') ??
          command.args.find((arg) => /^-?(?:delete|create|append|change|merge|passwd)$/i.test(arg.value)))
        : !command.args.some(
            (arg) => /^(?:--help|--version|-S|--status|-l)$/.test(arg.value) && command.name !== 'usermod',
          ),
  },
  {
    id: 'root-shell',
    level: 'dangerous',
    sentence: 'Opens a shell as root or as another user; what is done there is not seen.',
    needs: ['privilege'],
    names: ['su', 'sudo', 'doas', 'machinectl', 'login'],
    match(command) {
      if (command.name === 'su') return !command.args.some((arg) => /^--?(?:help|version)$/.test(arg.value));
      if (command.name === 'login') return command.args.length > 0;
      if (command.name === 'machinectl') return command.args.find((arg) => arg.value === 'shell');
      const flag = command.args.findIndex((arg) =>
        /^-(?:[a-zA-Z]*[is][a-zA-Z]*|-login|-shell)$/.test(arg.value),
      );
      if (flag !== -1 && command.args.slice(0, flag).every((arg) => arg.value.startsWith('-')))
        return command.args[flag];
      const words = operands(command, '-u -g -h -p -C -U -D -R');
      return words.length === 1 &&
        /^(?:.*\/)?(?:ba|z|da|k|fi|a|c|tc)?sh$/.test(words[0]?.value ?? '') &&
        command.stdin.kind === 'none'
        ? words[0]
        : undefined;
    },
  },
  {
    id: 'scheduled-jobs',
    level: 'dangerous',
    sentence: 'Changes what the machine runs by itself at set times or at start.',
    names:
      'crontab fcrontab incrontab at batch schtasks systemctl launchctl update-rc.d rc-update chkconfig systemd-run loginctl atrm pm2 git'.split(
        ' ',
      ),
    match(command) {
      if (command.name === 'systemd-run')
        return command.args.find((arg) => /^--(?:on-|timer|path-)/.test(arg.value));
      if (command.name === 'git')
        return (
          command.args[0]?.value === 'maintenance' &&
          /^(?:start|register)$/.test(command.args[1]?.value ?? '')
        );
      if (/crontab$/.test(command.name))
        return (
          (command.args.length > 0 || command.stdin.kind !== 'none') &&
          !command.args.some((arg) => arg.value === '-l')
        );
      if (command.name === 'at' || command.name === 'batch')
        return !command.args.some((arg) => /^-(?:l|c|V)$/.test(arg.value));
      if (command.name === 'atrm') return true;
      if (command.name === 'schtasks')
        return command.args.find((arg) => /^\/(?:create|delete|change|run)$/i.test(arg.value));
      return (
        operands(command)[0] &&
        command.args.find((arg) =>
          /^(?:enable|load|bootstrap|submit|enable-linger|link|edit|set-property|defaults|add|on|startup)$/.test(
            arg.value,
          ),
        )
      );
    },
  },
];
