import { runsSetting } from '../../core/shell/index.ts';
import { type GitConfig, onlyLooks } from '../process/git.ts';

/** One line of `git config --list --show-scope -z`. */
interface Setting {
  scope: string;
  key: string;
  value: string;
}

export function readSettings(listed: string): Setting[] {
  const parts = listed.split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = parts[at + 1]!.split('\n');
    settings.push({ scope: parts[at]!, key, value: value.join('\n') });
  }
  return settings;
}

/** What stays is the person's own: of their home, and of the machine. */
const isPersons = ({ scope }: Setting): boolean => scope === 'global' || scope === 'system';

/** What we do without whoever says it: nobody is to be asked, nothing signed, nothing done on the side. */
const always: GitConfig = [
  ...onlyLooks,
  ['core.askPass', ''],
  ['commit.gpgSign', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['rebase.updateRefs', 'false'],
  ['core.quotePath', 'false'],
  // By as many processes as there are cores: most of a new worktree is the writing of its files.
  ['checkout.workers', '0'],
  // Several tasks of one repository may be begun at once.
  ['core.filesRefLockTimeout', '5000'],
  ['core.packedRefsTimeout', '5000'],
];

const instead: readonly (readonly [RegExp, string])[] = [
  [/^filter\./i, ''],
  [/^credential\..*helper$/i, ''],
  // What git does by itself where there is no driver: an empty one would take our side for the result.
  [/^merge\..*\.driver$/i, 'git merge-file --marker-size=%L %A %O %B'],
  [/^core\.sshcommand$/i, 'ssh'],
  [/^remote\..*\.proxy$/i, ''],
  [/^pager\./i, 'false'],
  [/^protocol\.ext\.allow$/i, 'never'],
  [/^submodule\..*\.update$/i, 'none'],
  [/^init\.templatedir$/i, ''],
];

/** A program that does nothing, where nothing better is known. */
const neutral = (key: string): string => instead.find(([pattern]) => pattern.test(key))?.[1] ?? 'true';

/**
 * What a repository's own configuration would have git run, turned off: whoever can write to `.git/config` would run
 * programs as the person otherwise. Where the person has said something themselves, that holds. `dropped` names it.
 */
export function overriding(settings: readonly Setting[]): { config: GitConfig; dropped: string[] } {
  const foreign = settings.filter(({ scope, key }) => /^(?:local|worktree)$/.test(scope) && runsSetting(key));
  const dropped = [...new Set(foreign.map(({ key }) => key))];
  const config = dropped.flatMap((key): [string, string][] => {
    const own = settings.filter((setting) => isPersons(setting) && setting.key === key);
    // An empty helper forgets those before it.
    if (/^credential\./i.test(key))
      return [[key, ''], ...own.map(({ value }): [string, string] => [key, value])];
    return [[key, own.at(-1)?.value ?? neutral(key)]];
  });
  const filters = new Set(
    dropped.filter((key) => /^filter\./i.test(key)).map((key) => key.slice(0, key.lastIndexOf('.'))),
  );
  const optional = [...filters].map((filter): [string, string] => [`${filter}.required`, 'false']);
  return { config: [...config, ...optional, ...always], dropped };
}

/** What cannot be turned off, in words that say what to do about it; null where there is nothing of the kind. */
export function unsafeIn(settings: readonly Setting[]): string | null {
  const foreign = settings.filter((one) => !isPersons(one));
  // Git would fetch objects that are missing by itself, with the program that the repository names.
  const isPartial = settings.some(
    ({ key, value }) =>
      /^extensions\.partialclone$/i.test(key) || (/^remote\..*\.promisor$/i.test(key) && value !== 'false'),
  );
  if (isPartial && foreign.some(({ key }) => /^remote\..*\.uploadpack$/i.test(key)))
    return 'the repository is a partial clone with an uploadpack of its own, which git would run: unset remote.*.uploadpack';
  // What holds on one branch or in one worktree is not what was listed, and changes under a git that is at work.
  const sometimes = foreign.find(({ key }) => /^includeif\./i.test(key));
  return sometimes === undefined
    ? null
    : `the repository's configuration includes a file under a condition, and nobody can tell what git would run then: unset ${sometimes.key}`;
}

const identity = { 'user.name': 'Planwright', 'user.email': 'planwright@localhost' };

/** Who commits, where nobody has told git. */
export const identityIn = (settings: readonly Setting[]): GitConfig =>
  Object.entries(identity).filter(([key]) => !settings.some((one) => one.key === key && one.value !== ''));

const kept =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|AUTHOR_(?:NAME|EMAIL)|COMMITTER_(?:NAME|EMAIL))$/;

/** Of the environment, what does not point git elsewhere, or have it start something. Extensions of protocols are off. */
export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(env).filter(
    ([name, value]) =>
      value !== undefined &&
      (!/^(?:GIT_|SSH_ASKPASS|(?:EDITOR|VISUAL|PAGER)$)/.test(name) || kept.test(name)),
  );
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    ...{ GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':', SSH_ASKPASS_REQUIRE: 'never' },
    GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}
