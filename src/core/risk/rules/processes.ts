import { joined, operands, option, optionValue } from '../args.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

const power = 'shutdown reboot halt poweroff init telinit kexec pm-suspend pm-hibernate'.split(' ');

/** The process ids of a kill: what follows the signal. */
function killed(command: SimpleCommand): Arg[] {
  const args = command.args.filter((arg) => arg.value !== '--');
  let i = 0;
  if (/^-(?:s|n|-signal)$/.test(args[0]?.value ?? '')) i = 2;
  else if (/^-(?:\d+|[A-Za-z]\w*|-signal=.*)$/.test(args[0]?.value ?? '') && args.length > 1) i = 1;
  return args.slice(i);
}

/** Finds processes by a name, a port or an owner: whose they are is only known when it runs. */
const searches = /\b(?:pgrep|pidof|killall|lsof|fuser|ss|netstat|ps)\b/;

/** How programs are told to leave something running that the step is not waited for with. */
const stays: Readonly<Record<string, RegExp>> = {
  setsid: /^(?:-\S+ )*(?:-\w*f\w*|--fork)(?: |$)/,
  screen: /^(?:-\S+ )*-\w*[dD]\w* ?(?:-m|\S)/,
  tmux: /^(?:-\S+ \S+ )*(?:new|new-session|new-window|neww|split-window|run-shell|run) (?:.* )?-\w*[db]/,
  daemonize: /^/,
  dtach: /^-[nN](?: |$)/,
  abduco: /^-n(?: |$)/,
  sudo: /^(?:-[ugpCrtThD] \S+ |-\S+ |\w+=\S+ )*(?:-[AEHKPSVeiknsv]*b\w*|--background)(?: |$)/,
  ssh: /^(?:-[BbcDEeFIiJLlmOopQRSWw] \S+ |-\S+ )*-[46AaCGgKkMNnqTtVvXxYys]*f/,
  nginx: /^(?!.*(?:^| )(?:-[tTvVh?]|-s(?: |$)|.*daemon off))/,
  'php-fpm': /(?:^| )(?:-D|--daemonize)(?: |$)/,
  uwsgi: /(?:^| )(?:-d|--daemonize)/,
  celery: /(?:^| )(?:--detach|-D|multi (?:re)?start)(?: |$)/,
  daemon: /^/,
  'start-stop-daemon': /(?:^| )(?:-S|--start)(?: |$)/,
  forever: /^(?:start|restart)(?: |$)/,
  supervisorctl: /^(?:start|restart|reload|update)(?: |$)/,
  supervisord: /^(?!.*(?:-n|--nodaemon))/,
  'redis-server': /--daemonize[= ]yes/,
  mongod: /(?:^| )--fork/,
  pg_ctl: /(?:^| )(?:start|restart)(?: |$)/,
  gunicorn: /(?:^| )(?:-D|--daemon)(?: |$)/,
  emacs: /(?:^| )--(?:bg-)?daemon/,
  rsync: /(?:^| )--daemon/,
};

/** How one types into a terminal of somebody else's, has a running program do something, or takes hold of a process. */
const types: Readonly<Record<string, RegExp>> = {
  tmux: /^(?:-\S+ \S+ )*(?:send(?:-keys|-prefix)?|paste(?:-buffer|b)|respawn\S*|run(?:-shell)?|if(?:-shell)?|pipe-pane|pipep|source(?:-file)?|set-hook|bind(?:-key)?|load(?:-buffer|b)|set-environment|setenv)(?: |$)/,
  screen: /(?:^| )-X(?: |$)/,
  kitty: /^@/,
  kitten: /^@/,
  wezterm: /^cli (?!list)/,
  xdotool: /^/,
  ydotool: /^/,
  wtype: /^/,
  xte: /^/,
  dotool: /^/,
  reptyr: /^/,
  'dbus-send': /^/,
  gdbus: /^(?:call|emit)/,
  busctl: /(?:^| )(?:call|set-property|emit)(?: |$)/,
  qdbus: /^\S+ \S+ \S/,
  gdb: /(?:^| )(?:-p|--?pid)[= ]?\d/,
  lldb: /(?:^| )(?:-p|--attach-pid)[= ]?\d/,
  strace: /(?:^| )(?:-p|--attach)[= ]?\d/,
  ltrace: /(?:^| )-p[= ]?\d/,
  emacsclient: /(?:^| )(?:-e|--eval)/,
  nvim: /(?:^| )--remote(?:-send|-expr)/,
  vim: /(?:^| )--remote(?:-send|-expr)/,
  gvim: /(?:^| )--remote(?:-send|-expr)/,
  osascript: /keystroke|key code|do script/i,
};

export const processRules: readonly CommandRule[] = [
  {
    id: 'types-elsewhere',
    level: 'dangerous',
    sentence:
      'Types into another terminal, has a running program do something, or takes hold of a process: it may answer for a person.',
    names: Object.keys(types),
    match: (command) => types[command.name]?.test(joined(command)),
  },
  {
    id: 'stays-running',
    level: 'dangerous',
    sentence: 'Leaves a process running that outlives the step; what it does later no undo takes back.',
    names: Object.keys(stays),
    match: (command) => stays[command.name]?.test(joined(command)),
  },
  {
    id: 'kill-everything',
    level: 'blocked',
    sentence: 'Ends every process at once.',
    names: ['kill', 'killall5', 'pkill', 'killall'],
    match(command) {
      if (command.name === 'killall5') return true;
      if (command.name === 'kill') return killed(command).find((arg) => arg.value === '-1');
      return operands(command, '-s --signal -u -U -G -t -g -P').find((arg) =>
        /^(?:\.\*?|\^|''|)$/.test(arg.value),
      );
    },
  },
  {
    id: 'kill-process',
    level: 'dangerous',
    sentence: 'Ends processes by force, or by a name, a port or an owner, whosever they are.',
    names: 'kill pkill killall skill xkill fuser taskkill tskill kill-port fkill'.split(' '),
    match(command) {
      if (command.name === 'fuser') return option(command, 'k', 'kill');
      if (command.name !== 'kill')
        return (
          command.args.length > 0 && !command.args.every((arg) => /^(?:-l|--list|--help|-0)$/.test(arg.value))
        );
      return (
        command.args.find((arg) => /^-(?:9|KILL|SIGKILL|s9|19|STOP|SIGSTOP)$/i.test(arg.value)) ??
        (/^(?:9|KILL|SIGKILL)$/i.test(optionValue(command, '-s', '-n', '--signal')?.value ?? '') ||
          killed(command).find((arg) => arg.value === '1' || arg.value === '0' || searches.test(arg.text)) ||
          command.open)
      );
    },
  },
  {
    id: 'runs-again',
    level: 'dangerous',
    sentence: 'Runs a command out of the history again: which one, only the shell knows.',
    names: ['fc'],
    match: (command) => !option(command, 'l'),
  },
  {
    id: 'power',
    level: 'dangerous',
    sentence: 'Shuts down, restarts or suspends the machine, or plans to.',
    needs: ['privilege'],
    names: [...power, 'systemctl', 'loginctl', 'osascript', 'pmset', 'busctl', 'wsl'],
    match(command) {
      if (command.name === 'systemctl' || command.name === 'loginctl')
        return command.args.find((arg) =>
          /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|emergency|rescue|soft-reboot|terminate-user|kill-user|kill-session|terminate-session|switch-root)$/.test(
            arg.value,
          ),
        );
      if (command.name === 'osascript')
        return command.args.find((arg) => /shut down|restart|log out/i.test(arg.value));
      if (command.name === 'pmset')
        return command.args.find((arg) => /sleepnow|displaysleepnow|schedule|repeat/.test(arg.value));
      if (command.name === 'wsl')
        return command.args.find((arg) => /^--(?:shutdown|unregister|terminate)$/.test(arg.value));
      if (command.name === 'busctl') return undefined;
      if (command.name === 'init' || command.name === 'telinit')
        return command.args.find((arg) => /^[016sS]$/.test(arg.value));
      return (
        !command.args.every((arg) => /^(?:--help|--version)$/.test(arg.value)) || command.args.length === 0
      );
    },
  },
  {
    id: 'service-change',
    level: 'dangerous',
    sentence: 'Stops, disables or masks a service that others may rely on.',
    reversible: true,
    needs: ['privilege'],
    names:
      'systemctl service rc-service rc-update launchctl sv svcadm initctl supervisorctl pm2 sc net chkconfig update-rc.d brew monit haproxy nginx apachectl httpd'.split(
        ' ',
      ),
    match(command) {
      if (command.name === 'nginx' || command.name === 'apachectl' || command.name === 'httpd')
        return command.args.find((arg) => /^(?:stop|quit|-sstop|graceful-stop|-k)$/.test(arg.value));
      if (command.name === 'haproxy') return command.args.find((arg) => /^-(?:st|sf|x)$/.test(arg.value));
      if (command.name === 'brew')
        return command.args[0]?.value === 'services'
          ? command.args.find((arg) => /^(?:stop|kill)$/.test(arg.value))
          : undefined;
      const words = operands(command).slice(0, 3);
      return words.find(
        (arg) =>
          /^(?:stop|kill|disable|mask|isolate|delete|remove|unload|bootout|del|down|force-stop|set-default|revert|stopall|start)$/.test(
            arg.value,
          ) &&
          !(arg.value === 'start') &&
          !(command.name === 'sc' && arg.value === 'query'),
      );
    },
  },
];
