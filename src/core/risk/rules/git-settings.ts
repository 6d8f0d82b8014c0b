import { gitSettingOf, runsSetting } from '../../shell/index.ts';
import type { GivenSetting } from '../args.ts';
import { isOutside } from '../paths.ts';
import type { Arg, RuleInfo, Where } from '../types.ts';

/** What settings of git make it do, be they given as settings or as variables. */

export const gitConfiguration: RuleInfo = {
  id: 'git-configuration',
  level: 'dangerous',
  sentence:
    'Makes git read its settings, its programs or its repositories from somewhere else, or serve them.',
};

export const gitRuns: RuleInfo = {
  id: 'git-runs',
  level: 'dangerous',
  sentence:
    'Has git run hooks, filters or other programs that the plan or the repository chose, now or later.',
  reversible: true,
};

/** Values that name nothing but what git, or everybody, has anyway. */
const usual =
  /^(?:|:|none|checkout|merge|rebase|true|false|always|never|\d+|cat|echo|(?:less|more|most|bat|delta|difft|diff-so-fancy|vim?|nvim|nano|pico|emacs|emacsclient|micro|hx|code|subl|gpg2?|ssh|git-lfs|meld|vimdiff|nvimdiff)(?: [\w%+-]+(?:=\w+)?)*|store|cache(?: --timeout=\d+)?|osxkeychain|libsecret|manager(?:-core)?|wincred|ssh(?: -i [^\s-]\S*| -o ?(?:StrictHostKeyChecking|IdentitiesOnly|BatchMode|ConnectTimeout|UserKnownHostsFile)=\S+| -p \d+| -[46CqTv]+)*)$/;

/** The rule that speaks of a variable of git's set to this, as it would of the setting. */
export function gitVariableRule(name: string, value: string): RuleInfo | undefined {
  if (gitSettingOf(name) !== undefined) return usual.test(value) ? undefined : gitRuns;
  if (name === 'GIT_CONFIG_PARAMETERS' || name === 'GIT_EXEC_PATH') return gitConfiguration;
  return /^GIT_CONFIG(?:_GLOBAL|_SYSTEM)?$/.test(name) && !/^(?:|\/dev\/null)$/.test(value)
    ? gitConfiguration
    : undefined;
}

/** A setting that has git run what is not everybody's. */
export const isStrange = ({ key, value }: GivenSetting): boolean => {
  if (runsSetting(key)) return value === undefined || !usual.test(value);
  return /^alias\./i.test(key) && (value === undefined || value.startsWith('!'));
};

/** An address: of another machine, or of a repository outside. What has a short name is a remote. */
export const isAddress = ({ value }: Arg, where: Where): boolean =>
  /^(?:\w[\w+.-]*:\/\/(?!localhost|127\.)|(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/))/.test(value) ||
  (/^(?:[/~]|\.\.?(?:\/|$))/.test(value) && isOutside(value, where));
