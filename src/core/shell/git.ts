import { behindOptions, optionSet, optionValues } from './options.ts';
import { quoteWord } from './quote.ts';
import {
  type Reader,
  type Started,
  type StartedPlace,
  type StartedText,
  starts,
  text,
  type Words,
} from './started.ts';

const valued =
  '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source';

/** The subcommand of a git call, and where it stands. */
export function gitVerb(words: Words): { verb: string; at: number } {
  const at = behindOptions(words, valued);
  return { verb: words[at] ?? '', at };
}

/** A setting that a git call makes. */
export interface GitSetting {
  readonly key: string;
  /** For this call alone; for the repository that it makes; or to stay, by `git config`. */
  readonly by: 'call' | 'clone' | 'config';
  /** The word that makes it. */
  readonly at: number;
  /** Where its value stands. Undefined where the value is in the environment. */
  readonly value: StartedPlace | undefined;
}

/** Variables that git takes for settings: its own, and everybody's. */
const variables: Readonly<Record<string, string>> = {
  GIT_PAGER: 'core.pager',
  GIT_EDITOR: 'core.editor',
  GIT_SEQUENCE_EDITOR: 'sequence.editor',
  GIT_SSH: 'core.sshcommand',
  GIT_SSH_COMMAND: 'core.sshcommand',
  GIT_EXTERNAL_DIFF: 'diff.external',
  GIT_ASKPASS: 'core.askpass',
  GIT_PROXY_COMMAND: 'core.gitproxy',
  PAGER: 'core.pager',
  EDITOR: 'core.editor',
  VISUAL: 'core.editor',
  SSH_ASKPASS: 'core.askpass',
};

/** The setting that this variable stands for. */
export const gitSettingOf = (variable: string): string | undefined =>
  Object.hasOwn(variables, variable) ? variables[variable] : undefined;

/** The one reader of `git -c`, `git --config-env`, `git clone -c` and `git config`. */
export function gitSettings(words: Words): GitSetting[] {
  const { verb, at } = gitVerb(words);
  const before = words.slice(0, at);
  const found = [
    ...optionValues(before, ['-c']).flatMap((place) => assigned(words, place, 'call')),
    ...optionValues(before, ['--config-env'])
      .flatMap((place) => assigned(words, place, 'call'))
      .map((setting) => ({ ...setting, value: undefined })),
  ];
  if (verb === 'clone')
    for (const place of optionValues(words, ['-c', '--config'], at + 1))
      found.push(...assigned(words, place, 'clone'));
  if (verb === 'config') found.push(...configured(words, at + 1));
  return found;
}

function assigned(words: Words, { at, skip }: StartedPlace, by: GitSetting['by']): GitSetting[] {
  const setting = (words[at] ?? '').slice(skip);
  const equals = setting.indexOf('=');
  if (equals === -1) return [];
  return [{ key: setting.slice(0, equals), by, at, value: { at, skip: skip + equals + 1 } }];
}

const configValued = optionSet('-f --file --blob -t --type --default --comment --value --url');
const elsewise = /^(?:--(?:get|unset|list|remove-section|rename-section|edit)|-[le]$)/;
const elsewiseVerb = /^(?:get|unset|list|remove-section|rename-section|edit|get-\w+)$/;

/** `git config k v`, `git config set k v`; nothing where it reads or takes away. */
function configured(words: Words, from: number): GitSetting[] {
  const operands: number[] = [];
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!/^-./.test(word)) operands.push(at);
    else if (configValued.has(word)) at++;
    else if (elsewise.test(word)) return [];
  }
  const first = words[operands[0] ?? 0] ?? '';
  if (elsewiseVerb.test(first)) return [];
  const [key, value] = /^(?:set|add)$/.test(first) ? operands.slice(1) : operands;
  if (key === undefined || value === undefined) return [];
  return [{ key: words[key] ?? '', by: 'config', at: value, value: { at: value, skip: 0 } }];
}

/** Keys of git's configuration whose value git runs. */
const runs =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|difftool\..*\.cmd|mergetool\..*\.cmd|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|gpg\.program|gpg\..*\.program|credential\.helper|credential\..*\.helper|pager\..*|web\.browser|browser\..*\.cmd|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack|proxy)|interactive\.difffilter|sendemail\..*|tar\..*\.command|man\..*\.cmd|trailer\..*\.(?:command|cmd)|protocol\.ext\.allow|submodule\..*\.update)$/i;

/** Whether git runs the value of this setting, or takes hooks from where it says. */
export const runsSetting = (key: string): boolean => runs.test(key) || /^init\.templatedir$/i.test(key);

const builtIn = new Set(
  'add am apply archive bisect blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone commit config describe diff fetch filter-branch format-patch fsck gc grep init log ls-files ls-remote ls-tree maintenance merge mergetool mv notes pull push range-diff rebase reflog remote repack replace reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree help'.split(
    ' ',
  ),
);

const textAt = ({ at, skip }: StartedPlace): StartedText => text(at, at + 1, skip);

/** `alias.x=!command`, or further words of git. */
function aliasAt(words: Words, place: StartedPlace, rest: Words): Started {
  const value = (words[place.at] ?? '').slice(place.skip);
  if (value.startsWith('!')) return textAt({ ...place, skip: place.skip + 1 });
  return { ...textAt(place), text: ['git', value, ...rest.map((word) => quoteWord(word))].join(' ') };
}

/** What a setting has git run, now or later: `core.pager=less`. */
function settingStarts(words: Words, verb: string, { key, by, value }: GitSetting): Started[] {
  if (!value || (words[value.at] ?? '').length === value.skip) return [];
  if (by === 'config' && /^alias\./i.test(key)) return [aliasAt(words, value, [])];
  if (by === 'call' && key.toLowerCase() === `alias.${verb}` && !builtIn.has(verb))
    return [aliasAt(words, value, words.slice(gitVerb(words).at + 1))];
  return runs.test(key) ? [withoutBang(words, value)] : [];
}

const withoutBang = (words: Words, { at, skip }: StartedPlace): Started =>
  textAt({ at, skip: words[at]?.[skip] === '!' ? skip + 1 : skip });

/** Words that begin like this, and go on with text. */
const joint = (words: Words, from: number, pattern: RegExp): StartedPlace[] =>
  words.flatMap((word, at) => {
    const skip = at < from ? undefined : pattern.exec(word)?.[0].length;
    return skip === undefined || skip === word.length ? [] : [{ at, skip }];
  });

function verbStarts(words: Words, verb: string, from: number): Started[] {
  const values = (...names: string[]): Started[] => optionValues(words, names, from).map(textAt);
  switch (verb) {
    case 'bisect':
      return words[from] === 'run' && from + 1 < words.length
        ? [{ as: 'words', from: from + 1, to: words.length }]
        : [];
    case 'submodule': {
      let at = words.indexOf('foreach', from) + 1;
      if (at === 0) return [];
      while (/^--?(?:recursive|q|quiet)/.test(words[at] ?? '')) at++;
      if (at >= words.length) return [];
      return at === words.length - 1 ? [text(at)] : [{ as: 'words', from: at, to: words.length }];
    }
    case 'rebase':
      return values('-x', '--exec');
    case 'filter-branch':
      return words.flatMap((_, at) => (at > from && /-filter$/.test(words[at - 1] ?? '') ? [text(at)] : []));
    case 'grep':
      return joint(words, from, /^-O|^--open-files-in-pager=/).map(textAt);
    case 'difftool':
      return values('-x', '--extcmd');
    case 'fetch':
    case 'clone':
    case 'pull':
    case 'push':
    case 'ls-remote':
    case 'archive':
      return [
        ...values('--upload-pack', '--receive-pack', '--exec'),
        ...(verb === 'clone' || verb === 'ls-remote' ? values('-u') : []),
        ...joint(words, from, /^ext::/).map((place) => ({
          ...textAt(place),
          text: (words[place.at] ?? '').slice(place.skip).replace(/%20|% /g, ' '),
        })),
      ];
    default:
      return [];
  }
}

/** Aliases and settings given on the command line, and subcommands that take a command. */
export const readGit: Reader = (words) => {
  const { verb, at } = gitVerb(words);
  const settings = gitSettings(words).flatMap((setting) => settingStarts(words, verb, setting));
  const started = [...settings, ...verbStarts(words, verb, at + 1)];
  return started.length === 0 ? undefined : starts({ started, where: 'project', busy: true });
};
