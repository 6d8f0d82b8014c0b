import { dropWord, insertAfter, replaceWords, shellWord } from '../command/edit.ts';
import type { Simple } from '../command/tree.ts';
import { hasFlag, isVerb, operands, type Rule, type Seen, verbOf } from './rule.ts';
import { meant } from './similar.ts';

/** The git command with this verb, when there is exactly one. */
export function git(seen: Seen, ...verbs: readonly string[]): Simple | null {
  const found = seen.tree.simples.filter((simple) => simple.program === 'git' && isVerb(simple, ...verbs));
  return found.length === 1 ? found[0]! : null;
}

/** Operands after the verb. */
const rest = (simple: Simple) => {
  const verb = verbOf(simple);
  return operands(simple).filter((word) => verb !== null && word.pos > verb.pos);
};

export const noUpstream: Rule = {
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
    if (facts !== null && !facts.remoteBranches.includes(`${remote}/${branch}`)) return null;
    return {
      steps: [
        {
          title: `Let ${branch} follow ${remote}/${branch}`,
          command: `git branch --set-upstream-to=${remote}/${branch} ${branch}`,
        },
      ],
      reasoning: `git does not know what \`${branch}\` follows; ${remote} has a branch of that name.`,
      confidence: facts === null ? 0.75 : 0.88,
    };
  },
};

export const unknownBranch: Rule = {
  id: 'git-unknown-branch',
  about: 'A branch is not known: the nearest that is, main for master, or the one of the remote.',
  async propose(seen) {
    const named =
      /pathspec '([^'\n]+)' did not match any file\(s\) known to git/.exec(seen.output)?.[1] ??
      /src refspec (\S+) does not match any/.exec(seen.output)?.[1] ??
      /(?:merge: )?(\S+) - not something we can merge/.exec(seen.output)?.[1] ??
      /couldn't find remote ref (?:refs\/heads\/)?(\S+)/.exec(seen.output)?.[1] ??
      /fatal: invalid (?:reference|upstream)[:]? '?([^'\s]+)/.exec(seen.output)?.[1] ??
      /Remote branch (\S+) not found in upstream/.exec(seen.output)?.[1] ??
      /ambiguous argument '([^'\n]+)': unknown revision/.exec(seen.output)?.[1] ??
      /'([^'\n]+)' is not a commit and a branch '[^']+' cannot be created from it/.exec(seen.output)?.[1] ??
      /branch '([^'\n]+)' not found/.exec(seen.output)?.[1];
    if (named === undefined) return null;
    const simple = git(
      seen,
      'checkout',
      'switch',
      'merge',
      'rebase',
      'push',
      'pull',
      'fetch',
      'diff',
      'log',
      'show',
      'clone',
      'cherry-pick',
      'worktree',
      'reset',
      'branch',
    );
    const word = simple?.args.find(
      (arg) => arg.literal && (arg.value === named || arg.value.endsWith(`/${named}`)),
    );
    if (simple === null || word === undefined) return null;
    // Nobody deletes, resets to or forces a branch by guess.
    if (hasFlag(simple, '-d', '-D', '--delete', '--hard', '-f', '--force')) return null;
    const facts = await seen.probe.git();
    const right = facts === null ? otherMain(named) : chooseBranch(named, facts, simple, word.value);
    if (right === null || right === named) return null;
    return {
      modify: replaceWords(seen.tree, [[word, word.value.slice(0, -named.length) + right]]),
      reasoning: `There is no \`${named}\`; \`${right}\` is there.`,
      confidence: facts === null ? 0.65 : 0.86,
    };
  },
};

const otherMain = (name: string): string | null =>
  name === 'master' ? 'main' : name === 'main' ? 'master' : null;

function chooseBranch(
  named: string,
  facts: NonNullable<Awaited<ReturnType<Seen['probe']['git']>>>,
  simple: Simple,
  written: string,
): string | null {
  const short = facts.remoteBranches.map((branch) => branch.slice(branch.indexOf('/') + 1));
  const local = [...facts.branches, ...facts.tags];
  const pool = isVerb(simple, 'push')
    ? facts.branches
    : isVerb(simple, 'pull', 'fetch') || written !== named
      ? short
      : [...new Set([...local, ...short])];
  if (pool.includes(named)) return null;
  const main = otherMain(named);
  if (main !== null && pool.includes(main)) return main;
  if (isVerb(simple, 'merge', 'rebase', 'diff', 'log') && written === named) {
    const remote = facts.remoteBranches.filter((branch) => branch.endsWith(`/${named}`));
    if (remote.length === 1) return remote[0]!;
  }
  return meant(named, pool);
}

export const fetchFirst: Rule = {
  id: 'git-non-fast-forward',
  about: 'The remote has commits that are not here: they are pulled in before pushing. Nothing is forced.',
  async propose(seen) {
    const push = git(seen, 'push');
    if (
      push === null ||
      hasFlag(push, '--force', '-f', '--force-with-lease', '--delete', '--mirror', '--tags')
    )
      return null;
    if (
      !/\[rejected\]|Updates were rejected/.test(seen.output) ||
      !/non-fast-forward|fetch first|tip of your current branch is behind|remote contains work that you do/.test(
        seen.output,
      )
    )
      return null;
    if (/already exists in the remote|stale info/.test(seen.output)) return null;
    const [remote, branch] = rest(push);
    if (branch?.value.includes(':') === true) return null;
    const words = [remote, branch].flatMap((word) => (word === undefined ? [] : [word.text]));
    // git's own words; where the repository can be seen, the way that works however far they went apart.
    const pull = (await seen.probe.git()) === null ? 'git pull' : 'git pull --no-edit --no-rebase';
    return {
      steps: [
        {
          title: 'Bring in what the remote has',
          command: [pull, ...words].join(' '),
        },
      ],
      reasoning: 'The remote has commits that are not here; they are merged in before pushing.',
      confidence: 0.8,
    };
  },
};

export const divergent: Rule = {
  id: 'git-divergent',
  about: 'git asks how to reconcile branches that went apart: merging keeps both as they are.',
  propose(seen) {
    const pull = git(seen, 'pull');
    if (pull === null || !/Need to specify how to reconcile divergent branches/.test(seen.output))
      return null;
    return {
      modify: insertAfter(seen.tree, verbOf(pull)!, '--no-rebase --no-edit'),
      reasoning: 'The branches went apart, and git asks how to join them; merging rewrites nothing.',
      confidence: 0.82,
    };
  },
};

export const unrelatedHistories: Rule = {
  id: 'git-unrelated-histories',
  about: 'git refuses to join histories without a common beginning; the flag that it names allows it.',
  propose(seen) {
    const simple = git(seen, 'merge', 'pull');
    if (simple === null || !/refusing to merge unrelated histories/.test(seen.output)) return null;
    if (hasFlag(simple, '--allow-unrelated-histories')) return null;
    return {
      modify: insertAfter(seen.tree, [...simple.args].at(-1) ?? simple.name, '--allow-unrelated-histories'),
      reasoning: 'The two histories have no common beginning; the step asks for them to be joined.',
      confidence: 0.72,
    };
  },
};

const dirtyTree =
  /Your local changes to the following files would be overwritten by (?:merge|checkout|rebase)|(?:cannot (?:pull with rebase|rebase)|You have unstaged changes|Please commit or stash them)/;

export const dirty: Rule = {
  id: 'git-dirty-tree',
  about: 'Changes that are not committed stand in the way: they are stashed, and brought back afterwards.',
  propose(seen) {
    if (!dirtyTree.test(seen.output) || /untracked working tree files/.test(seen.output)) return null;
    const pop = git(seen, 'stash');
    if (pop !== null && rest(pop)[0]?.value === 'pop' && rest(pop).length === 1) {
      return {
        modify:
          seen.command.slice(0, pop.pos) +
          'git add --update && git stash pop && git reset .' +
          seen.command.slice(pop.end),
        reasoning:
          'Changed files stand in the way of the stash: staged, both are merged, and then nothing is staged any more.',
        confidence: 0.8,
      };
    }
    const rebase = git(seen, 'pull', 'rebase', 'merge');
    if (
      rebase !== null &&
      !hasFlag(rebase, '--autostash', '--continue', '--abort', '--skip', '-i', '--interactive')
    ) {
      return {
        modify: insertAfter(seen.tree, verbOf(rebase)!, '--autostash'),
        reasoning: 'Changes that are not committed stand in the way; --autostash puts them aside and back.',
        confidence: 0.85,
      };
    }
    return null;
  },
};

export const notARepository: Rule = {
  id: 'git-not-a-repository',
  about: 'The folder is no repository, but exactly one of its folders is.',
  async propose(seen) {
    if (!/not a git repository/i.test(seen.output)) return null;
    const pull = git(seen, 'pull');
    const address = pull === null ? undefined : rest(pull)[0];
    if (
      address !== undefined &&
      /^(?:\w+:\/\/|[\w.-]+@[\w.-]+:)/.test(address.value) &&
      rest(pull!).length === 1
    ) {
      return {
        modify: replaceWords(seen.tree, [[verbOf(pull!)!, 'clone']]),
        reasoning: 'There is no repository here to pull into; that address is cloned.',
        confidence: 0.75,
      };
    }
    const simples = seen.tree.simples.filter(({ program }) => program === 'git');
    if (simples.length !== 1 || simples[0]!.args[0]?.value === '-C') return null;
    const found: string[] = [];
    for (const entry of ((await seen.probe.entries('.')) ?? []).slice(0, 50)) {
      if ((await seen.probe.kind(`${entry}/.git`)) === 'dir') found.push(entry);
    }
    if (found.length !== 1 || operands(simples[0]!).length > 1) return null;
    return {
      modify: insertAfter(seen.tree, simples[0]!.name, `-C ${shellWord(found[0]!)}`),
      reasoning: `This folder is no repository; \`${found[0]}\` is the only one below it.`,
      confidence: 0.7,
    };
  },
};

export const identity: Rule = {
  id: 'git-identity',
  about: 'git does not know who commits: this repository alone is told a neutral name, nothing global.',
  async propose(seen) {
    if (
      !/Author identity unknown|Please tell me who you are|empty ident name|Committer identity unknown|unable to auto-detect email address/.test(
        seen.output,
      )
    )
      return null;
    if (!seen.tree.simples.some(({ program }) => program === 'git')) return null;
    if (
      seen.tree.simples.some((simple) => simple.program === 'git' && isVerb(simple, 'push', 'tag', 'clone'))
    )
      return null;
    return {
      steps: [
        { title: 'Name who commits here', command: 'git config user.name planwright' },
        {
          title: 'Give an address for the commits here',
          command: 'git config user.email planwright@localhost',
        },
      ],
      reasoning: 'git does not know who commits. A neutral name is set for this repository only.',
      confidence: 0.72,
    };
  },
};

export const staleLock: Rule = {
  id: 'git-stale-lock',
  about: 'Another git may be at work: its lock is waited for. It is taken away by a person only.',
  propose(seen) {
    if (!/Unable to create '[^']+\.lock': File exists/.test(seen.output)) return null;
    if (seen.failure.earlier.length > 0) return null;
    return {
      retry: true,
      reasoning: 'Another git holds a lock on the repository; it is usually done in a moment.',
      confidence: 0.7,
    };
  },
};

export const branchExists: Rule = {
  id: 'git-branch-exists',
  about: 'The branch that was to be made is there: it is switched to, as it is.',
  propose(seen) {
    const simple = git(seen, 'checkout', 'switch');
    const name = /[aA] branch named '(.+)' already exists/.exec(seen.output)?.[1];
    const flag = simple?.args.find((arg) => ['-b', '-c', '--create'].includes(arg.value));
    if (simple === null || name === undefined || flag === undefined) return null;
    // With a start point it was to be made from there; what is here may be something else.
    if (rest(simple).length !== 1 || rest(simple)[0]!.value !== name) return null;
    return {
      modify: dropWord(seen.tree, flag),
      reasoning: `The branch \`${name}\` is there already; it is switched to.`,
      confidence: 0.9,
    };
  },
};

export const cloneTwice: Rule = {
  id: 'git-clone-twice',
  about: '`git clone` stands there twice.',
  propose(seen) {
    const simple = git(seen, 'clone');
    if (simple === null || !/Too many arguments/.test(seen.output)) return null;
    const [first, second] = rest(simple);
    if (first?.value !== 'git' || second?.value !== 'clone') return null;
    return {
      modify: seen.command.slice(0, first.pos) + seen.command.slice(second.end).trimStart(),
      reasoning: '`git clone` stands there twice.',
      confidence: 0.95,
    };
  },
};

export const addMissing: Rule = {
  id: 'git-add-all',
  about: 'A commit was to be made, and nothing is staged though tracked files have changed: they are.',
  propose(seen) {
    const simple = git(seen, 'commit');
    if (
      simple === null ||
      hasFlag(simple, '-a', '--all', '--amend') ||
      simple.args.some((arg) => /^-[a-zA-Z]*a/.test(arg.value))
    )
      return null;
    if (!/no changes added to commit/.test(seen.output) || !/Changes not staged for commit/.test(seen.output))
      return null;
    if (rest(simple).length > (hasFlag(simple, '-m', '--message') ? 1 : 0)) return null;
    return {
      modify: insertAfter(seen.tree, verbOf(simple)!, '-a'),
      reasoning: 'Nothing is staged; -a commits what has changed in the tracked files.',
      confidence: 0.72,
    };
  },
};

export const pathspecAdd: Rule = {
  id: 'git-add-first',
  about: 'A file that is to be committed or removed is not known to git yet: it is added first.',
  async propose(seen) {
    const simple = git(seen, 'commit', 'mv', 'stash');
    const path = /pathspec '([^'\n]+)' did not match any file\(s\) known to git/.exec(seen.output)?.[1];
    if (simple === null || path === undefined || (await seen.probe.kind(path)) !== 'file') return null;
    return {
      steps: [{ title: `Let git know ${path}`, command: `git add -- ${shellWord(path)}` }],
      reasoning: `\`${path}\` is there, but git does not follow it yet.`,
      confidence: 0.86,
    };
  },
};

export const rmFolder: Rule = {
  id: 'git-rm-recursive',
  about: 'git rm needs -r for a folder; what it removes stays in the history.',
  propose(seen) {
    const simple = git(seen, 'rm');
    if (simple === null || !/not removing '([^']+)' recursively without -r/.test(seen.output)) return null;
    return {
      modify: insertAfter(seen.tree, verbOf(simple)!, '-r'),
      reasoning: 'git removes a folder only with -r.',
      confidence: 0.85,
    };
  },
};

export const remoteExists: Rule = {
  id: 'git-remote-exists',
  about: 'A remote that was to be added is there, or one whose address was to be set is not.',
  propose(seen) {
    const simple = git(seen, 'remote');
    if (simple === null) return null;
    const verb = rest(simple)[0];
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

export const flagAfterFile: Rule = {
  id: 'git-flag-after-file',
  about: 'git takes flags before file names.',
  propose(seen) {
    const named =
      /(?:fatal: bad flag '([^']+)' used after filename|option '([^']+)' must come before non-option arguments)/.exec(
        seen.output,
      );
    const flag = named?.[1] ?? named?.[2];
    const simple = seen.tree.simples.find(({ program }) => program === 'git');
    const word = simple?.args.find((arg) => arg.value === flag);
    const before =
      simple === undefined || word === undefined ? undefined : simple.args[simple.args.indexOf(word) - 1];
    if (word === undefined || before === undefined) return null;
    return {
      modify: replaceWords(seen.tree, [
        [before, word.value],
        [word, before.value],
      ]),
      reasoning: `git takes \`${flag}\` before the file names.`,
      confidence: 0.9,
    };
  },
};
