import { optionSet } from './options.ts';
import { type Started, type Starts, starts, text, type Words } from './started.ts';

/** A program whose words, behind its own options, are another command. */
interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued?: string;
  /** Operands before the command (`timeout 5 ls`: one). */
  readonly skip?: number;
  /** `NAME=value` words may stand before the command. */
  readonly env?: boolean;
  /** Words that must come first (`uv run`); the command follows them. */
  readonly after?: readonly string[];
  /** With options of this shape, and no others, it adds nothing that could hurt. */
  readonly clear?: RegExp;
  readonly needs?: Starts['needs'];
  /** Options whose value is shell text. */
  readonly script?: string;
  /** The command only starts at `--`. */
  readonly dashes?: boolean;
  /** The words are shell text, `joined` or `each` of them. */
  readonly text?: 'joined' | 'each';
  /** With such an option only says something of the command (`command -v`). */
  readonly idle?: RegExp;
  /** With such an option, what it starts runs in another folder. */
  readonly moves?: RegExp;
  readonly where?: Starts['where'];
  readonly inShell?: boolean;
}

const privilege = ['privilege'] as const;
const project = { where: 'project' } as const;
const elsewhere = { where: 'elsewhere' } as const;
const any = /^/;

/** What is known of each program that runs the command behind it. Every reader of shell text asks this one table. */
const table: Readonly<Record<string, readonly Wrapper[]>> = {
  sudo: [
    {
      valued:
        '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type --other-user --chdir --chroot',
      env: true,
      needs: privilege,
      moves: /^-[A-Za-z]*[iDR]|^--(?:login|chdir|chroot)/,
    },
  ],
  doas: [{ valued: '-u -C', needs: privilege }],
  pkexec: [{ valued: '--user', needs: privilege, moves: any }],
  gosu: [{ skip: 1, needs: privilege }],
  'su-exec': [{ skip: 1, needs: privilege }],
  runuser: [
    {
      valued: '-u -g -G -s -w --user --group',
      script: '-c --command',
      needs: privilege,
      moves: /^-l?$|^--login$/,
    },
  ],
  setpriv: [{ valued: '--reuid --regid --groups --inh-caps', needs: privilege }],
  env: [
    {
      valued: '-u --unset -C --chdir',
      env: true,
      script: '-S --split-string',
      clear: /^(?:-i|-|-0|-u|--unset(?:=\w+)?|-u\w+|--ignore-environment|--null)$/,
      moves: /^-C|^--chdir/,
    },
  ],
  nice: [{ valued: '-n --adjustment', clear: /^-(?:n\d*|\d+|-adjustment(?:=\d+)?)$/ }],
  ionice: [{ valued: '-c -n -t --class --classdata', clear: /^-[cnt]\d*$/ }],
  chrt: [{ skip: 1 }],
  taskset: [{ skip: 1, valued: '-c --cpu-list' }],
  numactl: [{ valued: '-m -N -C' }],
  nohup: [{}],
  setsid: [{}],
  timeout: [
    {
      valued: '-k -s --kill-after --signal',
      skip: 1,
      clear: /^-[ks]$|^--(?:kill-after|signal|preserve-status|foreground)/,
    },
  ],
  gtimeout: [{ valued: '-k -s', skip: 1 }],
  stdbuf: [{ valued: '-i -o -e --input --output --error', clear: /^-[ioe]\S*$/ }],
  unbuffer: [{}],
  time: [{ valued: '-f -o --format --output', clear: /^-[plv]+$/ }],
  command: [{ clear: /^-p$/, idle: /^-[pvV]*[vV]/, inShell: true }],
  builtin: [{ clear: /^$/, inShell: true }],
  exec: [{ valued: '-a' }],
  noglob: [{}],
  nocorrect: [{}],
  chroot: [{ skip: 1, needs: privilege, ...elsewhere }],
  unshare: [
    {
      valued: '-S -G -R -w --root --wd',
      needs: privilege,
      moves: /^-[A-Za-z]*[Rw]|^--(?:root|wd)/,
    },
  ],
  nsenter: [{ valued: '-t -S -G --target', needs: privilege, ...elsewhere }],
  setarch: [{ skip: 1 }],
  linux32: [{}],
  linux64: [{}],
  arch: [{ valued: '-arch -e', clear: /^-(?:x86_64|arm64|arm64e|i386)$/ }],
  caffeinate: [{ valued: '-t -w', clear: /^-[dimsut]+$/ }],
  flock: [{ skip: 1, valued: '-w -E --timeout', script: '-c --command' }],
  watch: [{ valued: '-n -d --interval', text: 'joined' }],
  strace: [{ valued: '-o -e -p -s -a -u -E -I -O -S -P' }],
  ltrace: [{ valued: '-o -e -p -s -a -u -n' }],
  valgrind: [{}],
  perf: [
    { after: ['stat'], valued: '-e -o -r' },
    { after: ['record'], valued: '-e -o -F -c' },
  ],
  hyperfine: [{ valued: '-r -w -m -M -S', script: '-p -c --prepare --cleanup --setup', text: 'each' }],
  fakeroot: [{}],
  proot: [{ valued: '-r -b -w', ...elsewhere }],
  firejail: [{ ...elsewhere }],
  bwrap: [{ dashes: true, ...elsewhere }],
  'xvfb-run': [{ valued: '-s -n -e -f -w -p' }],
  'dbus-run-session': [{}],
  'systemd-run': [
    { valued: '-p -u -M -H --unit --property --slice --uid --gid -E', needs: privilege, moves: any },
  ],
  'systemd-inhibit': [{ valued: '--what --who --why --mode' }],
  chpst: [{ valued: '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t', moves: /^-\// }],
  softlimit: [{ valued: '-m -d -s -o -p -f -c -t' }],
  setuidgid: [{ skip: 1 }],
  daemonize: [{ valued: '-a -c -e -o -p -l -u -E', moves: any }],
  entr: [{}],
  rtk: [{}],
  direnv: [{ after: ['exec'], skip: 1 }],
  mise: [
    { after: ['exec'], dashes: true, ...project },
    { after: ['x'], dashes: true, ...project },
  ],
  asdf: [{ after: ['exec'], ...project }],
  rbenv: [{ after: ['exec'], ...project }],
  pyenv: [{ after: ['exec'], ...project }],
  uv: [
    {
      after: ['run'],
      valued: '--with --python -p --project --directory --extra --group --package --env-file',
      moves: /^--directory/,
      ...project,
    },
    { after: ['tool', 'run'], ...project },
  ],
  poetry: [{ after: ['run'], ...project }],
  pipenv: [{ after: ['run'], ...project }],
  pdm: [{ after: ['run'], ...project }],
  rye: [{ after: ['run'], ...project }],
  hatch: [{ after: ['run'], ...project }],
  conda: [{ after: ['run'], valued: '-n -p --name --prefix', moves: /^--cwd/, ...project }],
  bundle: [{ after: ['exec'], ...project }],
  dotenv: [{ after: ['run'] }, { dashes: true, valued: '-e -f' }],
  dotenvx: [{ after: ['run'], dashes: true }],
  op: [{ after: ['run'], dashes: true }],
  doppler: [{ after: ['run'], dashes: true, script: '--command' }],
  'aws-vault': [{ after: ['exec'], skip: 1 }],
  infisical: [{ after: ['run'], dashes: true }],
  'cross-env': [{ env: true }],
  'nix-shell': [{ script: '--run --command', valued: '-p -A', ...project }],
  nix: [
    { after: ['develop'], script: '-c --command', ...project },
    { after: ['shell'], script: '-c --command', ...project },
  ],
  'start-stop-daemon': [{ dashes: true, moves: any }],
  ip: [
    { after: ['netns', 'exec'], skip: 1, needs: privilege },
    { after: ['vrf', 'exec'], skip: 1 },
  ],
  busybox: [{ clear: /^$/ }],
  toybox: [{ clear: /^$/ }],
  catchsegv: [{}],
  lvm: [{}],
  nodemon: [{ script: '-x --exec', ...project }],
  watchexec: [{ valued: '-w -e -f -i' }],
  ts: [{}],
  npx: [{ valued: '-p --package', script: '-c --call', ...project }],
  bunx: [{ ...project }],
  pnpx: [{ ...project }],
  pnpm: [
    { after: ['exec'], ...project },
    { after: ['dlx'], ...project },
  ],
  npm: [
    { after: ['exec'], valued: '--package', ...project },
    { after: ['x'], valued: '--package', ...project },
  ],
  yarn: [
    { after: ['exec'], ...project },
    { after: ['dlx'], ...project },
  ],
  pipx: [{ after: ['run'], valued: '--spec', ...project }],
  uvx: [{ valued: '--from --with --python', ...project }],
  cargo: [{ after: ['watch'], script: '-s --shell', ...project }],
  vagrant: [{ after: ['ssh'], script: '-c --command', ...elsewhere }],
  multipass: [{ after: ['exec'], skip: 1, ...elsewhere }],
  wsl: [{ valued: '-d -u --distribution --user', ...elsewhere }],
  heroku: [{ after: ['run'], valued: '-a --app -s', ...elsewhere }],
  fly: [{ after: ['ssh', 'console'], script: '-C --command', ...elsewhere }],
  flyctl: [{ after: ['ssh', 'console'], script: '-C --command', ...elsewhere }],
  gcloud: [{ after: ['compute', 'ssh'], script: '--command', ...elsewhere }],
  sshpass: [{ valued: '-p -f -d -P' }],
};

export const wrapperNames: readonly string[] = Object.keys(table);

/** Whatever its first word is. */
export const isPlainWrapper = (name: string): boolean =>
  Object.hasOwn(table, name) && (table[name]?.some((row) => row.after === undefined) ?? false);

export const wrapsElsewhere = (name: string): boolean =>
  Object.hasOwn(table, name) && (table[name]?.some((row) => row.where === 'elsewhere') ?? false);

/** What a wrapper starts: nothing where no command is behind it yet (`sudo -l`). Undefined where none would be. */
export function readWrapper(name: string, words: Words): Starts | undefined {
  let bare: Starts | undefined;
  for (const row of table[name] ?? []) {
    const found = readRow(row, words);
    if (found && found.started.length > 0) return found;
    bare ??= found;
  }
  return bare;
}

function readRow(row: Wrapper, words: Words): Starts | undefined {
  const begin = startOf(row, words);
  if (begin === undefined || row.idle?.test(words[1] ?? '')) return undefined;
  const valued = optionSet(row.valued ?? '');
  const started: Started[] = [];
  const assigns: number[] = [];
  let moved = row.moves === any;
  let plain = true;
  let skip = row.skip ?? 0;
  let at = begin;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const script = row.script === undefined ? undefined : scriptAt(row.script, words, at);
    if (script) {
      started.push(text(script.at, script.at + 1, script.skip));
      at = script.at;
    } else if (word === '--') {
      at++;
      break;
    } else if (/^-./.test(word) || (word === '-' && (row.env || row.moves?.test(word)))) {
      if (!row.clear?.test(word)) plain = false;
      if (row.moves?.test(word)) moved = true;
      if (valued.has(word)) at++;
    } else if (row.env && /^[A-Za-z_]\w*=/.test(word)) assigns.push(at);
    else if (skip > 0) skip--;
    else break;
  }
  const from = at + skip;
  const late = row.script === undefined ? undefined : scriptAt(row.script, words, from);
  if (late) started.push(text(late.at, late.at + 1, late.skip));
  else if (from < words.length) {
    if (row.text === 'each') for (let i = from; i < words.length; i++) started.push(text(i));
    else if (row.text === 'joined') started.push(text(from, words.length));
    else started.push({ as: 'words', from, to: words.length });
  }
  return starts({
    started,
    assigns,
    moved,
    clear: row.clear !== undefined && plain && started.length > 0,
    needs: row.needs ?? [],
    where: row.where ?? 'here',
    wants: true,
    inShell: row.inShell ?? false,
  });
}

/** Where the wrapper's own options begin; undefined where its first words are others. */
function startOf({ after, dashes }: Wrapper, words: Words): number | undefined {
  const dashed = dashes ? words.indexOf('--') : -1;
  if (dashes && !after) return dashed === -1 ? undefined : dashed;
  let at = 1;
  for (const word of after ?? []) {
    while (words[at]?.startsWith('-')) at++;
    if (words[at] !== word) return undefined;
    at++;
  }
  return dashed === -1 ? at : dashed;
}

function scriptAt(scripts: string, words: Words, at: number): { at: number; skip: number } | undefined {
  const word = words[at] ?? '';
  for (const name of optionSet(scripts)) {
    if (word === name && at + 1 < words.length) return { at: at + 1, skip: 0 };
    const joint = name.startsWith('--') ? `${name}=` : name;
    if (word.startsWith(joint) && word.length > joint.length) return { at, skip: joint.length };
  }
  return undefined;
}
