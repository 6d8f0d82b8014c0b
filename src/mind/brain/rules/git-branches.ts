import type { Simple } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords } from '../command/edit.ts';
import type { GitFacts } from '../probe/probe.ts';
import { git, isRange, nearRange, rest } from './git.ts';
import { hasFlag, isVerb, type MendingRule, onCommand, verbOf } from './rule.ts';
import { meant } from './similar.ts';

export const noUpstream: MendingRule = {
  id: 'git-no-upstream',
  about: 'The branch has no upstream; git says how to push it with one, and pull can be told where from.',
  async propose(seen) {
    const push = git(seen, 'push');
    if (push !== null && /has no upstream branch/.test(seen.output)) {
      const told = /^\s+(git push --set-upstream \S+ \S+)\s*$/m.exec(seen.output)?.[1];
      const branch = told?.split(' ').at(-1);
      if (branch === undefined || rest(push).length > 2) return null;
      const flags = push.args
        .filter((arg) => arg.pos > verbOf(push)!.pos)
        .filter((arg) => arg.value.startsWith('-') && !['-u', '--set-upstream'].includes(arg.value));
      const remote = rest(push)[0]?.text ?? told!.split(' ').at(-2)!;
      const words = ['--set-upstream', remote, shellWord(branch), ...flags.map((arg) => arg.text)];
      return {
        modify: `${seen.command.slice(0, verbOf(push)!.end)} ${words.join(' ')}${seen.command.slice(push.end)}`,
        reasoning: `The branch \`${branch}\` has no upstream yet; pushing it with --set-upstream gives it one.`,
        confidence: 0.93,
      };
    }
    const pull = git(seen, 'pull');
    if (
      pull === null ||
      rest(pull).length > 0 ||
      !/There is no tracking information for the current branch/.test(seen.output)
    )
      return null;
    const facts = await seen.probe.git();
    const branch = facts?.branch ?? /git branch --set-upstream-to=\S+\/\S+ (\S+)/.exec(seen.output)?.[1];
    const remote = facts === null ? 'origin' : facts.remotes.length === 1 ? facts.remotes[0] : undefined;
    if (branch == null || remote === undefined) return null;
    // A remote branch of that name is only seen where the folder is.
    if (facts !== null && !facts.remoteBranches.includes(`${remote}/${branch}`)) return null;
    if (facts !== null) {
      return {
        modify: insertAfter(seen.tree, pull.args.at(-1)!, `${shellWord(remote)} ${shellWord(branch)}`),
        reasoning: `git does not know what \`${branch}\` follows; ${remote} has a branch of that name.`,
        confidence: 0.88,
      };
    }
    return {
      steps: [
        {
          title: `Let ${branch} follow ${remote}/${branch}`,
          command: `git branch --set-upstream-to=${remote}/${branch} ${branch}`,
        },
      ],
      reasoning: `git does not know what \`${branch}\` follows; ${remote} has a branch of that name.`,
      confidence: 0.75,
    };
  },
};

const takesBranch =
  'checkout switch merge rebase push pull fetch diff log show clone cherry-pick worktree reset branch'.split(
    ' ',
  );

export const unknownBranch: MendingRule = {
  id: 'git-unknown-branch',
  about: 'A branch is not known: the nearest that is, main for master, or the one of the remote.',
  async propose(seen) {
    const named =
      /pathspec '([^'\n]+)' did not match any file\(s\) known to git/.exec(seen.output)?.[1] ??
      /src refspec (\S+) does not match any/.exec(seen.output)?.[1] ??
      /(?<!\S)(\S{1,250}) - not something we can merge/.exec(seen.output)?.[1] ??
      /couldn't find remote ref (?:refs\/heads\/)?(\S+)/.exec(seen.output)?.[1] ??
      /fatal: invalid (?:reference|upstream)[:]? '?([^'\s]+)/.exec(seen.output)?.[1] ??
      /Remote branch (\S+) not found in upstream/.exec(seen.output)?.[1] ??
      /ambiguous argument '([^'\n]+)': unknown revision/.exec(seen.output)?.[1] ??
      /'([^'\n]+)' is not a commit and a branch '[^']+' cannot be created from it/.exec(seen.output)?.[1] ??
      /branch '([^'\n]+)' not found/.exec(seen.output)?.[1];
    if (named === undefined) return null;
    const simple = git(seen, ...takesBranch);
    const word = simple?.args.find(
      (arg) => arg.literal && (arg.value === named || arg.value.endsWith(`/${named}`)),
    );
    if (simple === null || word === undefined) return null;
    // Nobody deletes, resets to or forces a branch by guess.
    if (hasFlag(simple, '-d', '-D', '--delete', '--hard', '-f', '--force')) return null;
    const facts = await seen.probe.git();
    const right =
      facts === null
        ? otherMain(named)
        : isRange(named)
          ? nearRange(named, facts, simple)
          : chooseBranch(named, facts, simple, word.value);
    if (right === null || right === named) return null;
    return {
      modify: replaceWords(seen.tree, [[word, word.value.slice(0, -named.length) + right]]),
      reasoning: `There is no \`${named}\`; \`${right}\` is there.`,
      confidence: facts === null ? 0.65 : 0.86,
    };
  },
};

export const tagNotFetched: MendingRule = {
  id: 'git-tag-not-fetched',
  about: 'A tag or version is not known here, and the one remote may have it: its tags are fetched.',
  async propose(seen) {
    const named =
      /ambiguous argument '([^'\n]+)': unknown revision/.exec(seen.output)?.[1] ??
      /pathspec '([^'\n]+)' did not match any file\(s\) known to git/.exec(seen.output)?.[1] ??
      /(?:invalid reference:|fatal: (?:invalid object name|bad revision|Not a valid object name)) '?([^'\s]+)/.exec(
        seen.output,
      )?.[1];
    const simple = git(seen, ...takesBranch, 'describe', 'archive', 'rev-list', 'rev-parse', 'shortlog');
    const facts = named === undefined || simple === null ? null : await seen.probe.git();
    if (named === undefined || facts === null || facts.remotes.length !== 1) return null;
    const tags = named.split(/\.{2,3}/).map((part) => part.replace(/[~^].*$/, ''));
    // Tags are called by numbers; what else is not known is a branch, or a slip.
    const missing = tags.find(
      (tag) => /^[\w.-]*\d[\w.-]*$/.test(tag) && ![...facts.tags, ...facts.branches].includes(tag),
    );
    if (missing === undefined || meant(missing, facts.tags) !== null) return null;
    const [remote] = facts.remotes;
    return {
      steps: [{ title: `Fetch the tags of ${remote}`, command: `git fetch --tags ${shellWord(remote!)}` }],
      reasoning: `There is no \`${missing}\` here; ${remote} may have it, and its tags were not fetched.`,
      confidence: 0.8,
    };
  },
};

export const unknownRemote: MendingRule = {
  id: 'git-unknown-remote',
  about: 'A remote is not known, but one that is a slip away.',
  async propose(seen) {
    const named =
      /fatal: '([^'\n]+)' does not appear to be a git repository/.exec(seen.output)?.[1] ??
      /(?:No such remote|no such remote:?|Could not fetch|invalid remote) ['"]?([^'"\s]+)/i.exec(
        seen.output,
      )?.[1];
    const simple = git(seen, 'push', 'pull', 'fetch', 'remote', 'ls-remote');
    const word = simple?.args.find((arg) => arg.literal && arg.value === named);
    if (simple === null || word === undefined || rest(simple)[0]?.value === 'add') return null;
    if (rest(simple).some(({ value }) => ['remove', 'rm', 'rename'].includes(value))) return null;
    const right = meant(word.value, (await seen.probe.git())?.remotes ?? []);
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, right]]),
      reasoning: `There is no remote \`${word.value}\`; \`${right}\` is there.`,
      confidence: 0.9,
    };
  },
};

const otherMain = (name: string): string | null =>
  name === 'master' ? 'main' : name === 'main' ? 'master' : null;

function chooseBranch(named: string, facts: GitFacts, simple: Simple, written: string): string | null {
  const short = facts.remoteBranches.map((branch) => branch.slice(branch.indexOf('/') + 1));
  const local = [...facts.branches, ...facts.tags];
  const pool = isVerb(simple, 'push')
    ? facts.branches
    : isVerb(simple, 'pull', 'fetch') || written !== named
      ? short
      : [...new Set([...local, ...short])];
  const remote = facts.remoteBranches.filter((branch) => branch.endsWith(`/${named}`));
  const isRead = isVerb(simple, 'merge', 'rebase', 'diff', 'log') && written === named;
  if (isRead && remote.length === 1 && !local.includes(named)) return remote[0]!;
  if (pool.includes(named)) return null;
  const main = otherMain(named);
  if (main !== null && pool.includes(main)) return main;
  return meant(named, pool);
}

export const fetchFirst = onCommand({
  id: 'git-non-fast-forward',
  about: 'The remote has commits that are not here: they are pulled in before pushing. Nothing is forced.',
  programs: ['git'],
  verbs: ['push'],
  says: /non-fast-forward|fetch first|tip of your current branch is behind|remote contains work that you do/,
  unless: /^(?:--force|-f|--force-with-lease|--delete|--mirror|--tags)(?:=|$)/,
  async propose({ output, probe }, push) {
    if (!/\[rejected\]|Updates were rejected/.test(output)) return null;
    if (/already exists in the remote|stale info/.test(output)) return null;
    const [remote, branch] = rest(push);
    if (branch?.value.includes(':') === true) return null;
    const words = [remote, branch].flatMap((word) => (word === undefined ? [] : [word.text]));
    // git's own words; where the repository can be seen, the way that works however far they went apart, and that
    // leaves no half-made merge behind.
    const isSeen = (await probe.git()) !== null;
    const pull = ['git pull', ...(isSeen ? ['--no-edit --no-rebase'] : []), ...words].join(' ');
    const command = isSeen ? `${pull} || { git merge --abort; false; }` : pull;
    return {
      steps: [{ title: 'Bring in what the remote has', command }],
      reasoning: 'The remote has commits that are not here; they are merged in before pushing.',
      confidence: 0.8,
    };
  },
});

export const divergent = onCommand({
  id: 'git-divergent',
  about: 'git asks how to reconcile branches that went apart: merging keeps both as they are.',
  programs: ['git'],
  verbs: ['pull'],
  says: /Need to specify how to reconcile divergent branches/,
  propose: ({ tree }, pull) => ({
    modify: insertAfter(tree, verbOf(pull)!, '--no-rebase --no-edit'),
    reasoning: 'The branches went apart, and git asks how to join them; merging rewrites nothing.',
    confidence: 0.82,
  }),
});

export const unrelatedHistories = onCommand({
  id: 'git-unrelated-histories',
  about: 'git refuses to join histories without a common beginning; the flag that it names allows it.',
  programs: ['git'],
  verbs: ['merge', 'pull'],
  says: /refusing to merge unrelated histories/,
  unless: /^--allow-unrelated-histories(?:=|$)/,
  propose: ({ tree }, { name, args }) => ({
    modify: insertAfter(tree, args.at(-1) ?? name, '--allow-unrelated-histories'),
    reasoning: 'The two histories have no common beginning; the step asks for them to be joined.',
    confidence: 0.72,
  }),
});

export const cloneTwice = onCommand({
  id: 'git-clone-twice',
  about: '`git clone` stands there twice.',
  programs: ['git'],
  verbs: ['clone'],
  says: /Too many arguments/,
  propose({ command }, simple) {
    const [first, second] = rest(simple);
    if (first?.value !== 'git' || second?.value !== 'clone') return null;
    return {
      modify: command.slice(0, first.pos) + command.slice(second.end).trimStart(),
      reasoning: '`git clone` stands there twice.',
      confidence: 0.95,
    };
  },
});

export const remoteExists: MendingRule = {
  id: 'git-remote-exists',
  about: 'A remote that was to be added is there, or one whose address was to be set is not.',
  async propose(seen) {
    const simple = git(seen, 'remote');
    if (simple === null) return null;
    const verb = rest(simple)[0];
    const [, name, address] = rest(simple);
    if (verb?.value === 'add' && name !== undefined && address !== undefined) {
      if (!new RegExp(`remote ${RegExp.escape(name.value)} already exists`).test(seen.output)) return null;
      // Another address is somebody's choice; the same one is what the step asks for.
      const config = await seen.probe.readText('.git/config');
      const known = new RegExp(
        `\\[remote "${RegExp.escape(name.value)}"\\][^\\[]*?\\burl = ${RegExp.escape(address.value)}[ \\t]*\\n`,
      );
      if (config === null || !known.test(config)) return null;
      return {
        modify: replaceWords(seen.tree, [[verb, 'set-url']]),
        reasoning: `There is a remote \`${name.value}\` with this very address already; set again, it stays as it is.`,
        confidence: 0.85,
      };
    }
    if (verb?.value === 'set-url' && /No such remote/.test(seen.output) && rest(simple).length === 3) {
      return {
        modify: replaceWords(seen.tree, [[verb, 'add']]),
        reasoning: 'There is no such remote yet; it is added with this address.',
        confidence: 0.88,
      };
    }
    if (
      verb?.value === 'delete' &&
      /usage: git remote|Unknown subcommand: delete|unknown subcommand: `?delete/i.test(seen.output)
    ) {
      return {
        modify: replaceWords(seen.tree, [[verb, 'remove']]),
        reasoning: 'git removes a remote with `remote remove`.',
        confidence: 0.9,
      };
    }
    return null;
  },
};
