import { gitVerb, readCommand, type Simple } from '../../shell/index.ts';

/**
 * Whether the corrected command is the one that was agreed on, with the upstream that git itself named when it failed:
 * `git push` as `git push --set-upstream origin topic`. It goes where the push was to go, and is no other push.
 */
export function isPushAsTold(original: string, corrected: string, said: string): boolean {
  const [, remote, branch] = /^[ \t]+git push --set-upstream (\S+) (\S+)[ \t]*$/m.exec(said) ?? [];
  if (remote === undefined || branch === undefined) return false;
  const [before, after] = [readCommand(original), readCommand(corrected)];
  const named = new Set(['-u', '--set-upstream', remote, branch]);
  const pushes = after.simples.filter(isPush);
  return (
    !before.broken &&
    !after.broken &&
    pushes.length === 1 &&
    pushes[0]!.args
      .map(({ text }) => text)
      .join(' ')
      .includes(`--set-upstream ${remote} ${branch}`) &&
    before.simples.map((simple) => essence(simple, named)).join('\n') ===
      after.simples.map((simple) => essence(simple, named)).join('\n')
  );
}

const isPush = ({ program, args }: Simple): boolean =>
  program === 'git' && gitVerb([program, ...args.map(({ value }) => value)]).verb === 'push';

function essence(simple: Simple, named: ReadonlySet<string>): string {
  const { name, args, redirects, assignments, prefixes, folder } = simple;
  const words = args.map(({ text }) => text).filter((word) => !isPush(simple) || !named.has(word));
  const files = redirects.map(({ operator, target }) => [operator, target.text]);
  return JSON.stringify([name.text, words, files, assignments, prefixes, folder]);
}
