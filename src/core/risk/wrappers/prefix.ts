import { judgeAssignment } from '../assignments.ts';
import { guards } from '../guards.ts';
import { report, type Scope } from '../scope.ts';
import { type Arg, type Need, type SimpleCommand, UNKNOWN } from '../types.ts';
import { judgeInner, judgeShellText, type Unwrapped } from './inner.ts';

/** A program whose arguments, after its own options, are another command. */
interface Prefix {
  /** Options whose value is the next argument. */
  readonly valued?: string;
  /** Operands before the command (`timeout 5 ls`: one). */
  readonly skip?: number;
  /** `NAME=value` words may stand before the command. */
  readonly env?: boolean;
  /** Words that must come first (`uv run`); the command follows them. */
  readonly after?: readonly string[];
  /** With options of this shape, and no others, it adds nothing that could hurt. */
  readonly clear?: RegExp;
  readonly needs?: readonly Need[];
  /** Options whose value is shell text. */
  readonly script?: string;
  /** The command only starts at `--`. */
  readonly dashes?: boolean;
}

const sudo: Prefix = {
  valued:
    '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type --other-user --chdir --chroot',
  env: true,
  needs: ['privilege'],
};

const prefixes: Readonly<Record<string, readonly Prefix[]>> = {
  sudo: [sudo],
  doas: [{ valued: '-u -C', needs: ['privilege'] }],
  pkexec: [{ valued: '--user', needs: ['privilege'] }],
  gosu: [{ skip: 1, needs: ['privilege'] }],
  'su-exec': [{ skip: 1, needs: ['privilege'] }],
  runuser: [{ valued: '-u -g -G -s -w --user --group', script: '-c --command', needs: ['privilege'] }],
  setpriv: [{ valued: '--reuid --regid --groups --inh-caps', needs: ['privilege'] }],
  env: [
    {
      valued: '-u --unset -C --chdir',
      env: true,
      script: '-S --split-string',
      clear: /^(?:-i|-|-0|-u|--unset(?:=\w+)?|-u\w+|--ignore-environment|--null)$/,
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
  command: [{ clear: /^-p$/ }],
  builtin: [{ clear: /^$/ }],
  exec: [{ valued: '-a' }],
  noglob: [{}],
  nocorrect: [{}],
  chroot: [{ skip: 1, needs: ['privilege'] }],
  unshare: [{ valued: '-S -G -R -w --root --wd', needs: ['privilege'] }],
  nsenter: [{ valued: '-t -S -G --target', needs: ['privilege'] }],
  setarch: [{ skip: 1 }],
  linux32: [{}],
  linux64: [{}],
  arch: [{ valued: '-arch -e', clear: /^-(?:x86_64|arm64|arm64e|i386)$/ }],
  caffeinate: [{ valued: '-t -w', clear: /^-[dimsut]+$/ }],
  flock: [{ skip: 1, valued: '-w -E --timeout', script: '-c --command' }],
  watch: [{ valued: '-n -d --interval' }],
  strace: [{ valued: '-o -e -p -s -a -u -E -I -O -S -P' }],
  ltrace: [{ valued: '-o -e -p -s -a -u -n' }],
  valgrind: [{}],
  perf: [
    { after: ['stat'], valued: '-e -o -r' },
    { after: ['record'], valued: '-e -o -F -c' },
  ],
  hyperfine: [{ valued: '-r -w -m -M -S', script: '-p -c --prepare --cleanup --setup' }],
  fakeroot: [{ dashes: false }],
  proot: [{ valued: '-r -b -w' }],
  firejail: [{}],
  bwrap: [{ dashes: true }],
  'xvfb-run': [{ valued: '-s -n -e -f -w -p' }],
  'dbus-run-session': [{}],
  'systemd-run': [{ valued: '-p -u -M -H --unit --property --slice --uid --gid -E', needs: ['privilege'] }],
  'systemd-inhibit': [{ valued: '--what --who --why --mode' }],
  chpst: [{ valued: '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t' }],
  softlimit: [{ valued: '-m -d -s -o -p -f -c -t' }],
  setuidgid: [{ skip: 1 }],
  daemonize: [{ valued: '-a -c -e -o -p -l -u -E' }],
  entr: [{}],
  rtk: [{}],
  direnv: [{ after: ['exec'], skip: 1 }],
  mise: [
    { after: ['exec'], dashes: true },
    { after: ['x'], dashes: true },
  ],
  asdf: [{ after: ['exec'] }],
  rbenv: [{ after: ['exec'] }],
  pyenv: [{ after: ['exec'] }],
  uv: [
    {
      after: ['run'],
      valued: '--with --python -p --project --directory --extra --group --package --env-file',
    },
    { after: ['tool', 'run'] },
  ],
  poetry: [{ after: ['run'] }],
  pipenv: [{ after: ['run'] }],
  pdm: [{ after: ['run'] }],
  rye: [{ after: ['run'] }],
  hatch: [{ after: ['run'] }],
  conda: [{ after: ['run'], valued: '-n -p --name --prefix' }],
  bundle: [{ after: ['exec'] }],
  dotenv: [{ after: ['run'] }, { dashes: true, valued: '-e -f' }],
  dotenvx: [{ after: ['run'], dashes: true }],
  op: [{ after: ['run'], dashes: true }],
  doppler: [{ after: ['run'], dashes: true, script: '--command' }],
  'aws-vault': [{ after: ['exec'], skip: 1 }],
  infisical: [{ after: ['run'], dashes: true }],
  'cross-env': [{ env: true }],
  'nix-shell': [{ script: '--run --command', valued: '-p -A' }],
  nix: [
    { after: ['develop'], script: '-c --command' },
    { after: ['shell'], script: '-c --command' },
  ],
  'start-stop-daemon': [{ dashes: true }],
  ip: [
    { after: ['netns', 'exec'], skip: 1, needs: ['privilege'] },
    { after: ['vrf', 'exec'], skip: 1 },
  ],
  busybox: [{ clear: /^$/ }],
  toybox: [{ clear: /^$/ }],
  catchsegv: [{}],
  lvm: [{}],
  nodemon: [{ script: '-x --exec' }],
  watchexec: [{ valued: '-w -e -f -i' }],
  ts: [{}],
  npx: [{ valued: '-p --package', script: '-c --call' }],
  bunx: [{}],
  pnpx: [{}],
  pnpm: [{ after: ['exec'] }, { after: ['dlx'] }],
  npm: [
    { after: ['exec'], valued: '--package' },
    { after: ['x'], valued: '--package' },
  ],
  yarn: [{ after: ['exec'] }, { after: ['dlx'] }],
  pipx: [{ after: ['run'], valued: '--spec' }],
  uvx: [{ valued: '--from --with --python' }],
  cargo: [{ after: ['watch'], script: '-s --shell' }],
  vagrant: [{ after: ['ssh'], script: '-c --command' }],
  multipass: [{ after: ['exec'], skip: 1 }],
  wsl: [{ valued: '-d -u --distribution --user' }],
  heroku: [{ after: ['run'], valued: '-a --app -s' }],
  fly: [{ after: ['ssh', 'console'], script: '-C --command' }],
  flyctl: [{ after: ['ssh', 'console'], script: '-C --command' }],
  gcloud: [{ after: ['compute', 'ssh'], script: '--command' }],
};

/** Finds the command behind a prefix program and judges it. */
export function unwrapPrefix(command: SimpleCommand, scope: Scope): Unwrapped {
  const choices = Object.hasOwn(prefixes, command.name) ? prefixes[command.name] : undefined;
  for (const prefix of choices ?? []) {
    const result = tryPrefix(command, prefix, scope);
    if (result) return result;
  }
  return undefined;
}

function tryPrefix(command: SimpleCommand, prefix: Prefix, scope: Scope): Unwrapped {
  if (command.name === 'command' && /^-[pvV]*[vV]/.test(command.args[0]?.value ?? '')) return 'judged';
  const start = startOf(command.args, prefix);
  if (start === undefined) return undefined;
  const valued = new Set((prefix.valued ?? '').split(' '));
  const scripts = (prefix.script ?? '').split(' ').filter(Boolean);
  let found = false;
  let skip = prefix.skip ?? 0;
  let i = start;
  let plain = true;
  for (; i < command.args.length; i++) {
    const arg = command.args[i] as Arg;
    const text = scriptValue(command.args, i, scripts);
    if (text) {
      judgeShellText(command, text.arg, scope);
      found = true;
      i += text.used;
    } else if (arg.value === '--') {
      i++;
      break;
    } else if (/^-./.test(arg.value) || (prefix.env && arg.value === '-')) {
      if (!prefix.clear?.test(arg.value)) plain = false;
      if (valued.has(arg.value)) i++;
    } else if (prefix.env && /^[A-Za-z_]\w*=/.test(arg.value)) {
      const equals = arg.value.indexOf('=');
      report(scope, guards.assignment, arg.span);
      judgeAssignment(arg.value.slice(0, equals), { ...arg, value: arg.value.slice(equals + 1) }, scope);
    } else if (skip > 0) skip--;
    else break;
  }
  const rest = command.args.slice(i + (skip > 0 ? skip : 0));
  if (rest.length > 0) {
    for (const need of prefix.needs ?? []) scope.findings.need(need);
    if (command.name === 'watch' && rest.length === 1 && rest[0]) judgeShellText(command, rest[0], scope);
    else if (command.name === 'hyperfine') for (const arg of rest) judgeShellText(command, arg, scope);
    else if (command.name === 'flock' && rest[0]?.value === '-c' && rest[1])
      judgeShellText(command, rest[1], scope);
    else judgeInner(command, rest, scope);
    found = true;
  }
  if (!found && command.open) {
    judgeInner(
      command,
      [{ value: UNKNOWN, literal: false, glob: false, span: command.span, text: '' }],
      scope,
    );
    found = true;
  }
  return found ? (prefix.clear && plain ? 'clear' : 'judged') : undefined;
}

/** Where the prefix's own options begin; undefined where its first words are others. */
function startOf(args: readonly Arg[], prefix: Prefix): number | undefined {
  if (prefix.dashes && !prefix.after) {
    const dashes = args.findIndex((arg) => arg.value === '--');
    return dashes === -1 ? undefined : dashes;
  }
  if (!prefix.after) return 0;
  let i = 0;
  for (const word of prefix.after) {
    while (args[i]?.value.startsWith('-')) i++;
    if (args[i]?.value !== word) return undefined;
    i++;
  }
  if (!prefix.dashes) return i;
  const dashes = args.findIndex((arg) => arg.value === '--');
  return dashes === -1 ? i : dashes;
}

function scriptValue(
  args: readonly Arg[],
  i: number,
  scripts: readonly string[],
): { arg: Arg; used: number } | undefined {
  const arg = args[i] as Arg;
  for (const name of scripts) {
    const next = args[i + 1];
    if (arg.value === name && next) return { arg: next, used: 1 };
    const joint = name.startsWith('--') ? `${name}=` : name;
    if (arg.value.startsWith(joint) && arg.value.length > joint.length)
      return { arg: { ...arg, value: arg.value.slice(joint.length) }, used: 0 };
  }
  return undefined;
}
