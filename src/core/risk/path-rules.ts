import { isDisk, isGuarded, isOutside, isOwnConfig, isStore, resolvePath } from './paths.ts';
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
    test: (_full, path, where) => isStore(path, where),
  },
  {
    id: 'guard-tampering',
    level: 'blocked',
    sentence: 'Changes the guard, or the settings by which an agent asks it, which only a person may.',
    test: (_full, path, where) => isGuarded(path, where),
  },
  {
    id: 'raw-disk-write',
    level: 'blocked',
    sentence: 'Writes straight to a disk or to memory, below any file system.',
    test: (_full, path) => isDisk(path),
  },
  {
    id: 'kernel-trigger',
    level: 'blocked',
    sentence: 'Writes to a kernel trigger that reboots, crashes or kills at once.',
    test: (full) => /^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$/.test(full),
  },
  {
    id: 'network-device',
    level: 'dangerous',
    sentence: 'Opens a network connection from inside the shell, as remote shells and data thieves do.',
    needs: ['network'],
    test: (_full, path) => /^\/dev\/(?:tcp|udp)\//.test(path),
  },
  {
    id: 'persistence',
    level: 'dangerous',
    sentence: 'Changes a file that the system or the shell runs by itself later.',
    reversible: true,
    test: (full) =>
      /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsessionrc|pam_environment|vimrc|exrc|emacs|gdbinit|pythonrc|irbrc|npmrc|netrc|pypirc|gitconfig|tmux\.conf|screenrc|direnvrc|envrc)$/.test(
        full,
      ) ||
      /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$|info\/attributes$)/.test(full) ||
      /(?:^|\/)\.(?:husky|githooks)\//.test(full) ||
      /\/(?:cron\.(?:d|daily|hourly|weekly|monthly)|crontabs?|systemd\/(?:system|user)|init\.d|rc\.local|rc\.d|autostart|LaunchAgents|LaunchDaemons|profile\.d|update-motd\.d|ld\.so\.preload|ld\.so\.conf\.d|udev\/rules\.d|pam\.d|fish\/config\.fish|fish\/conf\.d|nvim\/init\.(?:vim|lua)|git\/config|\.vscode\/(?:tasks|launch|settings)\.json)(?:\/|$)/.test(
        full,
      ) ||
      /(?:^|\/)(?:\.vscode\/(?:tasks|launch|settings|mcp)\.json|\.zed\/tasks\.json|\.devcontainer\/.+|\.?mise\.toml|\.mcp\.json|\.(?:cursor|gemini|windsurf)\/(?:mcp|settings|hooks)\.json|\.codex\/(?:hooks\.json|config\.toml)|\.github\/hooks\/.+|\.opencode\/(?:plugins?|tools?)\/.+|\.claude\/(?:settings[\w.]*\.json|hooks\/.+))$/.test(
        full,
      ) ||
      /^\/etc\/(?:crontab|profile|bash\.bashrc|zsh|environment|anacrontab|inittab)/.test(full),
  },
  {
    id: 'login-keys',
    level: 'dangerous',
    sentence: 'Changes who may log in: SSH keys, known hosts, users, groups or sudo rules.',
    reversible: true,
    test: (full) =>
      /(?:^|\/)\.ssh(?:\/|$)/.test(full) ||
      /(?:^|\/)\.gnupg(?:\/|$)/.test(full) ||
      /^\/etc\/(?:sudoers|passwd|shadow|group|gshadow|ssh\/|security\/|polkit-1\/)/.test(full),
  },
  {
    id: 'git-internals',
    level: 'dangerous',
    sentence: 'Writes into .git by hand, which no checkpoint holds and git may not survive.',
    test: (full) => /(?:^|\/)\.git(?:\/(?!info\/exclude$)|$)/.test(full),
  },
  {
    id: 'ci-configuration',
    level: 'dangerous',
    sentence: 'Changes what a continuous-integration service runs, often with secrets at hand.',
    reversible: true,
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
    test: (_full, path, where) => isOwnConfig(path, where),
  },
  {
    id: 'system-configuration',
    level: 'dangerous',
    sentence: 'Changes the configuration or the programs of the system.',
    reversible: true,
    test: (full, path, where) =>
      /^\/(?:etc|boot|efi|usr|bin|sbin|lib|lib32|lib64|sys|proc|opt|System|Library|private\/etc|var\/(?:lib|spool|www)|Windows)(?:\/|$)|^\/$/.test(
        full,
      ) && isOutside(path, where),
  },
  {
    id: 'outside-workspace',
    level: 'dangerous',
    sentence: 'Changes something outside the workspace, which undo cannot bring back.',
    test: (_full, path, where) => isOutside(path, where),
  },
];

/** The rule about what lies outside, for what does not change the content of a path. */
export const outsideWorkspace = writeRules.at(-1) as PathRule;

/** The first rule that speaks about writing to this path. */
export function writeRule(path: string, where: Where): PathRule | undefined {
  const local = path.replace(/^(?:[\w.-]+@[\w.-]+|[\w.-]{2,}):(?=[/~])/, '');
  const full = resolvePath(local, where);
  return writeRules.find((rule) => rule.test(full, local, where));
}

/** Said of a path that begins with what a command prints. */
export const placeUnknown: RuleInfo = {
  id: 'place-unknown',
  level: 'dangerous',
  sentence: 'Writes to a place that another command prints, so it may lie outside the workspace.',
};
