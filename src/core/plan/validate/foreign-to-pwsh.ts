import { blankStrings, pwshCommands } from '../../shell/index.ts';

/** What another shell says, and how PowerShell says it. All patterns of a row must be found. */
interface Foreign {
  readonly all: readonly RegExp[];
  readonly what: string;
  readonly mend: string;
}

/** Things that only bash and its relatives understand. */
const BASH_ISMS: readonly Foreign[] = [
  { all: [/(?:^|[;&|\n])[ \t]*export[ \t]+\w+=/], what: '`export`', mend: 'Write $env:NAME = "value".' },
  { all: [/(?:^|[;&|\n])[ \t]*source[ \t]+\S/], what: '`source`', mend: 'Write . ./file.ps1.' },
  { all: [/\[\[\s/, /\s\]\]/], what: '`[[ … ]]`', mend: 'Write (Test-Path x) or ($a -eq "b").' },
  { all: [/(?:^|[;&|\n]|\bif)[ \t]*\[ -\w /], what: '`[ … ]`', mend: 'Write Test-Path.' },
  { all: [/\bthen\b/, /\bfi\b/], what: '`then … fi`', mend: 'Write if (…) { … }.' },
  { all: [/(?:;|\n)[ \t]*do\b\s/, /\bdone\b/], what: '`do … done`', mend: 'Write foreach ($x in …) { … }.' },
  {
    all: [/<<-?[ \t]*\w/],
    what: 'a here-document',
    mend: 'Write a here-string: @" and "@ on lines of their own.',
  },
  {
    all: [/\$\{\w{1,80}(?::?[-=?+]|[#%/])/],
    what: '`${x:-y}`',
    mend: 'Write $(if ($x) { $x } else { "y" }).',
  },
  {
    all: [/(?:^|[;&|\n])[ \t]*[A-Za-z_]\w*=[^\s=]*[ \t]+[\w./]/],
    what: 'a variable before a command',
    mend: 'Set $env:NAME first.',
  },
  { all: [/\/dev\/null\b/], what: '`/dev/null`', mend: 'Write $null.' },
  {
    all: [/(?:^|[;\n])[ \t]*\w+[ \t]*\(\)[ \t]*\{/],
    what: '`name() { … }`',
    mend: 'Write function Verb-Noun { … }.',
  },
];

/** Things that only cmd.exe understands. `%NAME%` is looked for in strings too: cmd.exe fills them in there. */
const CMD_ISMS: readonly Foreign[] = [
  {
    all: [/\bif[ \t]+(?:\/i[ \t]+)?(?:not[ \t]+)?(?:exist|errorlevel|defined)\b/i],
    what: '`if exist`',
    mend: 'Write if (Test-Path x) { … }.',
  },
  {
    all: [/\bfor[ \t]+(?:\/[a-z][ \t]+)?%%?\w\b/i],
    what: '`for %x in`',
    mend: 'Write foreach ($x in …) { … }.',
  },
  { all: [/[12]?>[ \t]*nul\b/i], what: '`>nul`', mend: 'Write > $null.' },
  { all: [/(?:^|[;&|\n])[ \t]*@?echo[ \t]+o(?:ff|n)\b/i], what: '`echo off`', mend: 'Leave it out.' },
];
const CMD_VARIABLE = /%[A-Za-z_]\w{2,40}(?:\([^()\n]{0,20}\))?%/;

/** Commands of cmd.exe that take switches such as `/s`; without these they are aliases of PowerShell's. */
const CMD_SWITCHES: Record<string, string> = {
  dir: 'Get-ChildItem -Recurse -Name',
  del: 'Remove-Item -Force',
  erase: 'Remove-Item -Force',
  copy: 'Copy-Item -Force',
  move: 'Move-Item -Force',
  ren: 'Rename-Item',
  rd: 'Remove-Item -Recurse -Force',
  rmdir: 'Remove-Item -Recurse -Force',
  md: 'New-Item -ItemType Directory',
  type: 'Get-Content',
  cd: 'Set-Location',
  start: 'Start-Process',
  echo: 'Write-Output',
};
/** Commands of cmd.exe that are no programs, so that PowerShell has none of them. */
const CMD_ONLY: Record<string, string> = {
  mklink: 'New-Item -ItemType SymbolicLink',
  setlocal: 'a script block: & { … }',
  endlocal: 'a script block: & { … }',
  goto: 'a loop or a function',
  rem: '# for a comment',
  assoc: 'Get-ItemProperty on HKCR:',
  ver: '$PSVersionTable',
};
const SWITCH = /^\/[a-z?]{1,2}(?::[-\w]*)?$/i;

/** How a command belongs to cmd.exe: what it is, and what to use. */
function cmdCommand(name: string, args: readonly string[]): [string, string] | null {
  const lower = name.toLowerCase();
  if (Object.hasOwn(CMD_ONLY, lower)) return [name, CMD_ONLY[lower]!];
  const given = args.find((arg) => SWITCH.test(arg));
  if (given !== undefined && Object.hasOwn(CMD_SWITCHES, lower))
    return [`${name} ${given}`, CMD_SWITCHES[lower]!];
  const assigned = lower === 'set' ? args.find((arg) => /^\w+=/.test(arg)) : undefined;
  return assigned === undefined ? null : [`${name} ${assigned}`, '$env:NAME = "value"'];
}

/** Tools that PowerShell has its own word for. */
const TOOLS: Record<string, string> = {
  grep: 'Select-String',
  sed: 'the -replace operator',
  awk: 'ForEach-Object and the -split operator',
  touch: 'New-Item -ItemType File',
  which: 'Get-Command',
  head: 'Select-Object -First',
  tail: 'Get-Content -Tail',
  wc: 'Measure-Object',
  xargs: 'ForEach-Object',
  find: 'Get-ChildItem -Recurse',
  ln: 'New-Item -ItemType SymbolicLink',
  basename: 'Split-Path -Leaf',
  dirname: 'Split-Path -Parent',
  unset: 'Remove-Item Env:NAME',
  printenv: 'Get-ChildItem Env:',
  cut: 'ForEach-Object and the -split operator',
  tr: 'the -replace operator',
  uniq: 'Get-Unique',
  diff: 'Compare-Object',
  seq: '1..10',
  mktemp: 'New-TemporaryFile',
  realpath: 'Resolve-Path',
  readlink: '(Get-Item x).Target',
  md5sum: 'Get-FileHash -Algorithm MD5',
  sha256sum: 'Get-FileHash',
  chmod: 'Set-Acl, or `. ./script.ps1`, which needs no bit to be run',
  chown: 'Set-Acl',
  chgrp: 'Set-Acl',
  sudo: 'a PowerShell that was started with the rights it needs',
  su: 'a PowerShell that was started with the rights it needs',
  systemctl: 'Start-Service, Stop-Service or Restart-Service',
  nohup: 'Start-Job, or START in place of RUN_COMMAND',
  pkill: 'Stop-Process -Name',
  killall: 'Stop-Process -Name',
  df: 'Get-PSDrive',
  uname: '$PSVersionTable.OS',
  apt: 'Install-Package',
  'apt-get': 'Install-Package',
  yum: 'Install-Package',
  dnf: 'Install-Package',
  apk: 'Install-Package',
  pacman: 'Install-Package',
};
const ALIASES_WITH_FLAGS: Record<string, string> = {
  rm: 'Remove-Item -Recurse -Force',
  ls: 'Get-ChildItem -Force',
  cp: 'Copy-Item -Recurse',
  mv: 'Move-Item',
  mkdir: 'New-Item -ItemType Directory -Force',
  cat: 'Get-Content',
  ps: 'Get-Process',
  echo: 'Write-Host -NoNewline',
  kill: 'Stop-Process -Force -Id',
};
/** Flags in the manner of Unix: PowerShell's own are whole words. */
const UNIX_FLAGS = /^-(?:(?!Path|Recurse|Force|Name|Id)[a-zA-Z]{1,4}|\d{1,2}|SIG[A-Z]+)$/i;

/** What in a text PowerShell does not understand: whose it is, and how to say it. Null where it is native. */
export function foreignToPwsh(text: string): { message: string; mend: string } | null {
  const bare = blankStrings(text);
  const rows = [
    ...BASH_ISMS.map((row) => ({ ...row, whose: 'bash' })),
    ...CMD_ISMS.map((row) => ({ ...row, whose: 'cmd.exe' })),
  ];
  const found = rows.find(({ all }) => all.every((pattern) => pattern.test(bare)));
  if (found !== undefined) {
    const { what, whose, mend } = found;
    return { message: `${what} is ${whose}'s, and the plan's shell is PowerShell.`, mend };
  }
  const variable = CMD_VARIABLE.exec(text)?.[0];
  if (variable !== undefined) {
    const name = variable.replaceAll(/^%|[%(].*$/g, '');
    const message = `\`${variable}\` is cmd.exe's, and the plan's shell is PowerShell.`;
    return { message, mend: `Write $env:${name}.` };
  }
  for (const { words } of pwshCommands(text).commands) {
    const [shown, use] = foreignCommand(words) ?? [];
    if (use !== undefined) return { message: `\`${shown}\` is not PowerShell's.`, mend: `Use ${use}.` };
  }
  return null;
}

function foreignCommand([name = '', ...args]: readonly string[]): [string, string] | null {
  if (Object.hasOwn(TOOLS, name)) return [name, TOOLS[name]!];
  const flag = args.find((arg) => UNIX_FLAGS.test(arg));
  if (flag !== undefined && Object.hasOwn(ALIASES_WITH_FLAGS, name))
    return [`${name} ${flag}`, ALIASES_WITH_FLAGS[name]!];
  return cmdCommand(name, args);
}
