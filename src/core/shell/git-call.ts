import { behindOptions, optionSet, optionValues } from './options.ts';
import type { StartedPlace, Words } from './started.ts';

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

/** Whether git runs the value of this setting. */
export const isRunBySetting = (key: string): boolean => runs.test(key);

/** Whether git runs the value of this setting, or takes hooks from where it says. */
export const runsSetting = (key: string): boolean => runs.test(key) || /^init\.templatedir$/i.test(key);
