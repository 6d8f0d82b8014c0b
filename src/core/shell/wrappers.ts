import { optionAt, optionSet } from './options.ts';
import { type Started, type Starts, starts, text, type Words } from './started.ts';

/** A program whose words, behind its own options, are another command. */
interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued?: string;
  /** Operands before the command (`timeout 5 ls`: one). */
  readonly skip?: number;
  /** `NAME=value` words may stand before the command. */
  readonly env?: boolean;
  /** Words that must come first (`tool run`, `exec|x`: either); the command follows them. */
  readonly after?: string;
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

const needs = ['privilege'] as const;
const any = /^/;
const [project, elsewhere] = [{ where: 'project' }, { where: 'elsewhere' }] as const;
const sudoValued =
  '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type --other-user --chdir --chroot';
const sudoMoves = /^-[A-Za-z]*[iDR]|^--(?:login|chdir|chroot)/;
const runuserValued = '-u -g -G -s -w --user --group';
const uvValued = '--with --python -p --project --directory --extra --group --package --env-file';
const unitValued = '-p -u -M -H --unit --property --slice --uid --gid -E';
const chpstValued = '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t';
const envClear = /^(?:-i|-|-0|-u|--unset(?:=\w+)?|-u\w+|--ignore-environment|--null)$/;
const timeoutClear = /^-[ks]$|^--(?:kill-after|signal|preserve-status|foreground)/;

/** What is known of each program that runs the command behind it. Every reader of shell text asks this one table. */
export const wrapperRows: readonly (readonly [names: string, row: Wrapper])[] = [
  [
    'nohup setsid unbuffer noglob nocorrect linux32 linux64 uname26 i386 x86_64 valgrind fakeroot fakechroot',
    {},
  ],
  [
    'eatmydata chronic nocache ifne torsocks torify proxychains proxychains4 dumb-init tini ccache sccache',
    {},
  ],
  ['dbus-launch lxc-unshare wine wine64 winpty gksu kdesu scan-build bear rlwrap', {}],
  ['faketime trickle dtach abduco', { skip: 1, valued: '-f -m -p -u -d -s -e -r' }],
  ['pee', { text: 'each' }],
  ['dbus-run-session entr rtk catchsegv lvm ts', {}],
  ['sudo', { valued: sudoValued, env: true, needs, moves: sudoMoves }],
  ['doas', { valued: '-u -C', needs }],
  ['pkexec', { valued: '--user', needs, moves: any }],
  ['gosu su-exec', { skip: 1, needs }],
  ['runuser', { valued: runuserValued, script: '-c --command', needs, moves: /^-l?$|^--login$/ }],
  ['setpriv', { valued: '--reuid --regid --groups --inh-caps', needs }],
  [
    'env',
    {
      valued: '-u --unset -C --chdir',
      env: true,
      script: '-S --split-string',
      clear: envClear,
      moves: /^-C|^--chdir/,
    },
  ],
  ['nice', { valued: '-n --adjustment', clear: /^-(?:n\d*|\d+|-adjustment(?:=\d+)?)$/ }],
  ['ionice', { valued: '-c -n -p -P -u --class --classdata', clear: /^-(?:[cn]\d*|t)$/ }],
  ['chrt', { skip: 1, valued: '-T -P -D --sched-runtime --sched-period --sched-deadline' }],
  ['setarch setuidgid', { skip: 1 }],
  ['taskset', { skip: 1 }],
  ['prlimit', { valued: '-p --pid -o --output' }],
  ['choom', { valued: '-n --adjust -p --pid' }],
  ['cgexec', { valued: '-g' }],
  ['cpulimit', { valued: '-l --limit -p -e -P -c --cpu' }],
  ['numactl', { valued: '-m -N -C -i -p --membind --cpunodebind --physcpubind --interleave --preferred' }],
  ['timeout', { valued: '-k -s --kill-after --signal', skip: 1, clear: timeoutClear }],
  ['gtimeout', { valued: '-k -s', skip: 1 }],
  ['stdbuf', { valued: '-i -o -e --input --output --error', clear: /^-[ioe]\S*$/ }],
  ['time', { valued: '-f -o --format --output', clear: /^-[plv]+$/ }],
  ['command', { clear: /^-p$/, idle: /^-[pvV]*[vV]/, inShell: true }],
  ['builtin', { clear: /^$/, inShell: true }],
  ['exec', { valued: '-a' }],
  ['busybox toybox', { clear: /^$/ }],
  ['chroot', { skip: 1, needs, ...elsewhere }],
  ['unshare', { valued: '-S -G -R -w --root --wd', needs, moves: /^-[A-Za-z]*[Rw]|^--(?:root|wd)/ }],
  ['nsenter', { valued: '-t -S -G --target', needs, ...elsewhere }],
  ['arch', { valued: '-arch -e', clear: /^-(?:x86_64|arm64|arm64e|i386)$/ }],
  ['caffeinate', { valued: '-t -w', clear: /^-[dimsut]+$/ }],
  ['flock', { skip: 1, valued: '-w -E --wait --timeout --conflict-exit-code', script: '-c --command' }],
  ['watch', { valued: '-n -q -s --interval --equexit --shotsdir', text: 'joined' }],
  ['strace', { valued: '-o -e -p -s -a -u -E -I -O -S -P' }],
  ['ltrace', { valued: '-o -e -p -s -a -u -n' }],
  ['perf', { after: 'stat|record|trace|mem|lock|sched', valued: '-e -o -r -F -c -p -t -C -G' }],
  ['rr heaptrack', { after: 'record' }],
  ['hyperfine', { valued: '-r -w -m -M -S', script: '-p -c --prepare --cleanup --setup', text: 'each' }],
  ['proot', { valued: '-r -b -w', ...elsewhere }],
  ['firejail', elsewhere],
  ['bwrap', { dashes: true, ...elsewhere }],
  ['xvfb-run', { valued: '-s -n -e -f -w -p' }],
  ['systemd-run', { valued: unitValued, needs, moves: any }],
  ['podman buildah', { after: 'unshare' }],
  ['cmake', { after: '-E time' }],
  [
    'xterm uxterm urxvt rxvt st konsole alacritty kitty foot lxterminal xfce4-terminal',
    { after: '-e|-x|--command|--execute' },
  ],
  ['gnome-terminal wezterm distrobox toolbox schroot', { dashes: true }],
  ['systemd-inhibit', { valued: '--what --who --why --mode' }],
  ['chpst', { valued: chpstValued, moves: /^-\// }],
  ['softlimit', { valued: '-m -d -s -o -p -f -c -t' }],
  ['daemonize', { valued: '-a -c -e -o -p -l -u -E', moves: any }],
  ['start-stop-daemon', { dashes: true, moves: any }],
  ['watchexec', { valued: '-w -e -f -i' }],
  ['cross-env', { env: true }],
  ['sshpass', { valued: '-p -f -d -P' }],
  ['direnv aws-vault', { after: 'exec', skip: 1 }],
  ['dotenv', { after: 'run' }],
  ['dotenv', { dashes: true, valued: '-e -f' }],
  ['dotenvx op infisical', { after: 'run', dashes: true }],
  ['doppler', { after: 'run', dashes: true, script: '--command' }],
  ['ip', { after: 'netns exec', skip: 1, needs }],
  ['ip', { after: 'vrf exec', skip: 1 }],
  ['mise', { after: 'exec|x', dashes: true, ...project }],
  ['asdf rbenv pyenv', { after: 'exec', ...project }],
  ['bundle', { after: 'exec', valued: '--gemfile --path --jobs -j', ...project }],
  ['just', { after: '--command|-c', ...project }],
  ['uv', { after: 'run', valued: uvValued, moves: /^--directory/, ...project }],
  ['uv', { after: 'tool run', ...project }],
  ['poetry pipenv pdm rye hatch', { after: 'run', ...project }],
  ['conda', { after: 'run', valued: '-n -p --name --prefix', moves: /^--cwd/, ...project }],
  ['nix-shell', { script: '--run --command', valued: '-p -A', ...project }],
  ['nix', { after: 'develop|shell', script: '-c --command', ...project }],
  ['nodemon', { script: '-x --exec', ...project }],
  ['npx', { valued: '-p --package', script: '-c --call', ...project }],
  ['bunx', { valued: '-p --package', ...project }],
  ['pnpx', { valued: '--package', script: '-c', ...project }],
  [
    'pnpm',
    { after: 'exec|dlx', valued: '--package -C --dir --filter', script: '-c --shell-mode', ...project },
  ],
  ['yarn', { after: 'exec|dlx', valued: '-p --package', ...project }],
  ['npm', { after: 'exec|x', valued: '-p --package -w --workspace', script: '-c --call', ...project }],
  ['pipx', { after: 'run', valued: '--spec', ...project }],
  ['uvx', { valued: '--from --with --python', ...project }],
  ['cargo', { after: 'watch', script: '-s --shell', ...project }],
  ['gh', { after: 'codespace|cs ssh', dashes: true, ...elsewhere }],
  ['vagrant', { after: 'ssh', script: '-c --command', ...elsewhere }],
  ['multipass', { after: 'exec', skip: 1, ...elsewhere }],
  ['wsl', { valued: '-d -u --distribution --user', ...elsewhere }],
  ['heroku', { after: 'run', valued: '-a --app -s', ...elsewhere }],
  ['fly flyctl', { after: 'ssh console', script: '-C --command', ...elsewhere }],
  ['gcloud', { after: 'compute ssh', script: '--command', ...elsewhere }],
];

const table = rowsByName();

function rowsByName(): ReadonlyMap<string, Wrapper[]> {
  const found = new Map<string, Wrapper[]>();
  for (const [names, row] of wrapperRows)
    for (const name of names.split(' ')) found.set(name, [...(found.get(name) ?? []), row]);
  return found;
}

export const wrapperNames: readonly string[] = [...table.keys()];

/** Whatever its first word is. */
export const isPlainWrapper = (name: string): boolean =>
  table.get(name)?.some((row) => row.after === undefined) ?? false;

export const wrapsElsewhere = (name: string): boolean =>
  table.get(name)?.some((row) => row.where === 'elsewhere') ?? false;

/** What a wrapper starts: nothing where no command is behind it yet (`sudo -l`). Undefined where none would be. */
export function readWrapper(name: string, words: Words): Starts | undefined {
  let bare: Starts | undefined;
  for (const row of table.get(name) ?? []) {
    const found = readRow(row, words);
    if (found && found.started.length > 0) return found;
    bare ??= found;
  }
  return bare;
}

/** As `env` reads it: whatever stands before the first `=`, be it a name that a shell would take or not. */
const setsVariable = /^[^=]+=/;

function readRow(row: Wrapper, words: Words): Starts | undefined {
  const begin = startOf(row, words);
  if (begin === undefined || row.idle?.test(words[1] ?? '')) return undefined;
  const valued = optionSet(row.valued ?? '');
  const scripts = row.script === undefined ? undefined : optionSet(row.script);
  const started: Started[] = [];
  const assigns: number[] = [];
  let moved = row.moves === any;
  let plain = true;
  let skip = row.skip ?? 0;
  let at = begin;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (/^-./.test(word) || (word === '-' && (row.env || row.moves?.test(word)))) {
      const option = optionAt(word, valued, scripts);
      if (!row.clear?.test(word)) plain = false;
      if (row.moves?.test(word)) moved = true;
      if (option === 'valued') at++;
      else if (option !== 'flag') at = addScript(words, at, option.skip, started);
    } else if (row.env && setsVariable.test(word)) assigns.push(at);
    else if (skip > 0) skip--;
    else break;
  }
  if (row.env) for (; setsVariable.test(words[at] ?? ''); at++) assigns.push(at); // those behind `--` are some, too
  const from = at + skip;
  const late = /^-./.test(words[from] ?? '') ? optionAt(words[from] ?? '', valued, scripts) : 'flag';
  if (typeof late !== 'string') addScript(words, from, late.skip, started);
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
function startOf({ after, dashes, valued = '' }: Wrapper, words: Words): number | undefined {
  const dashed = dashes ? words.indexOf('--') : -1;
  if (dashes && !after) return dashed === -1 ? undefined : dashed;
  let at = 1;
  for (const either of after?.split(' ') ?? []) {
    const wanted = either.split('|');
    while (words[at]?.startsWith('-') && !wanted.includes(words[at] ?? ''))
      at += optionAt(words[at] ?? '', optionSet(valued), undefined) === 'valued' ? 2 : 1;
    if (!wanted.includes(words[at] ?? '')) return undefined;
    at++;
  }
  return dashed === -1 ? at : dashed;
}

/** A script is what is left of the word of its option, or the next word. Answers with where it stands. */
function addScript(words: Words, at: number, skip: number, started: Started[]): number {
  const joint = skip < (words[at] ?? '').length;
  if (joint) started.push(text(at, at + 1, skip));
  else if (at + 1 < words.length) started.push(text(at + 1));
  return joint ? at : at + 1;
}
