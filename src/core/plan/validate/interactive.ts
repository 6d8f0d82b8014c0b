import { type BashCommand, editors, isRepl, pagers, takesScreen } from '../../shell/index.ts';
import { serves } from '../servers.ts';

/** Why a command would wait for a person. `sure` is false where it depends on the machine. */
export interface Wait {
  why: string;
  mend: string;
  sure: boolean;
}

const wait = (why: string, mend: string, sure = true): Wait => ({ why, mend, sure });

const ASKERS = new Set('passwd telnet ftp sftp fdisk cfdisk parted dialog whiptail raspi-config'.split(' '));
type Check = (args: readonly string[], command: BashCommand) => Wait | null;

const has = (args: readonly string[], pattern: RegExp) => args.some((arg) => pattern.test(arg));
const operands = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'));

const unattended =
  (why: string, flag: RegExp, mend: string, sure = true): Check =>
  (args, command) =>
    has(args, flag) || command.fed ? null : wait(why, mend, sure);

const apt: Check = (args, command) => {
  const asks = has(args, /^(?:install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove)$/);
  if (
    !asks ||
    command.fed ||
    has(args, /^(?:-[a-z]*[ys][a-z]*|-qq|--yes|--assume-yes|--dry-run|--simulate)$/)
  )
    return null;
  return wait('it may ask before it goes on', 'Add -y.', false);
};

const git: Check = (args) => {
  const [sub = '', ...rest] = args.slice(
    Math.max(
      0,
      args.findIndex((arg, index) => isGitCommand(args, arg, index)),
    ),
  );
  switch (sub) {
    case 'commit':
      return has(
        rest,
        /^(?:-[a-zA-Z]*[mFCc]|-m.*|--message.*|--file.*|--reuse-message.*|--no-edit|--fixup.*|--dry-run)$/,
      )
        ? null
        : wait('`git commit` without -m opens an editor', 'Add -m "message".');
    case 'rebase':
      return has(rest, /^(?:-[a-z]*i[a-z]*|--interactive|--edit-todo)$/)
        ? wait('`git rebase -i` opens an editor', 'Rebase without -i.')
        : null;
    case 'config':
      return has(rest, /^(?:-e|--edit)$/)
        ? wait('`git config --edit` opens an editor', 'Set it by name.')
        : null;
    case 'add':
    case 'stash':
    case 'checkout':
    case 'reset':
    case 'restore':
      return has(rest, /^(?:-p|-i|--patch|--interactive)$/)
        ? wait('it asks about each change', 'Leave out -p and -i.')
        : null;
    default:
      return null;
  }
};

const isGitCommand = (args: readonly string[], arg: string, index: number) =>
  !arg.startsWith('-') && args[index - 1] !== '-C' && args[index - 1] !== '-c';

const ssh: Check = (args) => {
  if (has(args, /^-[a-zA-Z]*[NfGVQ]/) || has(args, /^-O$/)) return null;
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (/^-[bcDEeFIiJLlmOopQRSWw]$/.test(arg)) at++;
    else if (!arg.startsWith('-') || words.length > 0) words.push(arg);
  }
  return words.length >= 2
    ? null
    : wait('`ssh` without a command opens a shell', 'Add the command to run there.');
};

const container: Check = (args) => {
  if (!/^(?:run|exec|attach)$/.test(operands(args)[0] ?? '')) return null;
  const terminal = has(args, /^-(?:it|ti)$|^--tty$/) || (has(args, /^-i$/) && has(args, /^-t$/));
  return terminal ? wait('it asks for a terminal with -t', 'Leave out -it.') : null;
};

const BY_NAME: Record<string, Check> = {
  git,
  ssh,
  docker: container,
  podman: container,
  kubectl: container,
  apt,
  'apt-get': apt,
  read: (args, command) =>
    command.fed || has(args, /^-[a-z]*[tu]/)
      ? null
      : wait('`read` waits for a person', 'Use ASK "question" AS key.'),
  select: (_, command) =>
    command.fed ? null : wait('`select` waits for a person', 'Use ASK "question" AS key.'),
  crontab: (args) =>
    has(args, /^-e$/) ? wait('`crontab -e` opens an editor', 'Give crontab a file.') : null,
  su: (args) => (has(args, /^(?:-c|--command.*)$/) ? null : wait('`su` opens a shell', 'Use su -c command.')),
  'ssh-keygen': (args) =>
    has(args, /^-[NylFRBEHr]/) ? null : wait('it asks for a passphrase', 'Add -N "" and -f file.'),
  npm: (args, command) => {
    if (/^(?:login|adduser)$/.test(args[0] ?? ''))
      return wait('it asks for a login', 'Use a token from the environment.');
    const creates = /^(?:init|create)$/.test(args[0] ?? '') && operands(args).length === 1;
    return creates && !command.fed && !has(args, /^(?:-y|--yes)$/)
      ? wait('`npm init` asks questions', 'Add -y.')
      : null;
  },
  gh: (args) =>
    args[0] === 'auth' && args[1] === 'login' && !has(args, /^--with-token$/)
      ? wait('it asks for a login', 'Use --with-token.')
      : null,
  rm: unattendedWhen(/^-[a-zA-Z]*[iI]|^--interactive/, 'it asks before it removes', 'Leave out -i.'),
  cp: unattendedWhen(/^-[a-zA-Z]*i/, 'it asks before it overwrites', 'Leave out -i.'),
  mv: unattendedWhen(/^-[a-zA-Z]*i/, 'it asks before it overwrites', 'Leave out -i.'),
  openssl: (args) =>
    args[0] === 'req' && !has(args, /^-(?:subj|batch|config|in)$/)
      ? wait('`openssl req` asks questions', 'Add -subj.', false)
      : null,
  pacman: unattended('it may ask before it goes on', /^--noconfirm$|^-Q|^-Ss/, 'Add --noconfirm.', false),
  tmux: (args) =>
    /^(?:attach|a|new|new-session)?$/.test(args[0] ?? '') && !has(args, /^-d$/)
      ? wait('it takes the terminal over', 'Add -d.')
      : null,
  emacs: (args) =>
    has(args, /^--?(?:batch|script|version)$/) ? null : wait('`emacs` opens an editor', 'Use --batch.'),
  vim: (args) =>
    has(args, /^-(?:es|Es|e|s)$|^--version$/) ? null : wait('`vim` opens an editor', 'Use EDIT_FILE or sed.'),
};

function unattendedWhen(flag: RegExp, why: string, mend: string): Check {
  return (args, command) => (has(args, flag) && !command.fed ? wait(why, mend) : null);
}

/** Why this command would wait for a terminal, or null. */
export function waitOf(command: BashCommand): Wait | null {
  const [first = '', ...args] = command.words;
  const name = first.slice(first.lastIndexOf('/') + 1);
  const check = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : null;
  if (check !== null) return check(args, command) ?? sudoWait(command);
  if (has(args, /^--(?:version|help)$/)) return sudoWait(command);
  if (editors.has(name)) return wait(`\`${name}\` opens an editor`, 'Use EDIT_FILE or WRITE_FILE.');
  if (pagers.has(name) && !command.fed) return wait(`\`${name}\` waits for keys`, 'Use cat.');
  if (takesScreen(name, args)) {
    return wait(`\`${name}\` takes the terminal over`, 'Use a command that prints and ends.');
  }
  if (ASKERS.has(name) && !command.fed)
    return wait(`\`${name}\` asks a person`, 'Use a form that takes options.');
  if (!command.fed && isRepl(name, args)) {
    return wait(`\`${name}\` with nothing to run waits for a person`, 'Give it a file, or -c and a command.');
  }
  return sudoWait(command);
}

function sudoWait(command: BashCommand): Wait | null {
  const at = command.allWords.indexOf('sudo');
  if (at !== 0 || command.fed) return null;
  const options = command.allWords.slice(1, command.allWords.length - command.words.length);
  if (has(options, /^-[a-zA-Z]*[nSA]|^--(?:non-interactive|stdin|askpass)$/)) return null;
  return wait('`sudo` may ask for a password', 'Use sudo -n where no password is needed.', false);
}

/** PowerShell commands that ask a person. */
export function waitOfPwsh(words: readonly string[]): Wait | null {
  const name = (words[0] ?? '').toLowerCase();
  if (name === 'read-host') return wait('`Read-Host` waits for a person', 'Use ASK "question" AS key.');
  if (name === 'get-credential') return wait('`Get-Credential` asks a person', 'Use a secret input.');
  if (name === 'pause' || name === 'out-gridview')
    return wait(`\`${words[0]}\` waits for a person`, 'Take it out.');
  if (words.some((word) => /^-confirm$/i.test(word)))
    return wait('`-Confirm` asks a person', 'Use -Confirm:$false.');
  if (editors.has(name) || pagers.has(name) || takesScreen(name, [])) {
    return wait(`\`${words[0]}\` waits for keys`, 'Use a command that prints and ends.');
  }
  return null;
}

/** Commands that go on until somebody ends them. */
export function neverEnds(command: BashCommand): boolean {
  const [first = '', ...args] = command.words;
  const name = first.slice(first.lastIndexOf('/') + 1);
  if (command.allWords[0] === 'timeout') return false;
  if (name === 'tail') return has(args, /^-[a-zA-Z]*[fF]$|^--follow/);
  if (name === 'journalctl') return has(args, /^-[a-z]*f$|^--follow$/);
  if (name === 'sleep') return args[0] === 'infinity';
  return serves(command.words);
}
