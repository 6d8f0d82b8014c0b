import type { Simple } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { dropWord, insertAfter, replaceWords, splice, swapWords } from '../command/edit.ts';
import { git, rest } from './git.ts';
import {
  backoff,
  byProgram,
  hasFlag,
  isVerb,
  type Mend,
  type MendingRule,
  onCommand,
  operands,
  type SeenFailure,
  verbOf,
} from './rule.ts';

const dirtyTree =
  /Your local changes to the following files would be overwritten by (?:merge|checkout|rebase)|local changes would be overwritten by (?:cherry-pick|revert)|(?:[cC]annot (?:pull with rebase|rebase)|You have unstaged changes|(?:[Pp]lease c|C)ommit (?:your changes )?or stash them)/;

export const dirty: MendingRule = {
  id: 'git-dirty-tree',
  about: 'Changes that are not committed stand in the way: they are stashed, and brought back afterwards.',
  async propose(seen) {
    if (!dirtyTree.test(seen.output) || /untracked working tree files/.test(seen.output)) return null;
    const pop = git(seen, 'stash');
    if (pop !== null && rest(pop)[0]?.value === 'pop' && rest(pop).length === 1) {
      // In a repository that can be seen this may end in a conflict, and mix two changes of which none is committed.
      if ((await seen.probe.git()) !== null) return null;
      return {
        modify: splice(seen.command, [{ ...pop, text: 'git add --update && git stash pop && git reset .' }]),
        reasoning:
          'Changed files stand in the way of the stash: staged, both are merged, and then nothing is staged any more.',
        confidence: 0.8,
      };
    }
    const rebase = git(seen, 'pull', 'rebase', 'merge');
    const other = rebase ?? git(seen, 'checkout', 'switch', 'cherry-pick', 'revert');
    // Of which only the words are known: git says to stash, which every git can.
    if (
      other !== null &&
      !hasFlag(other, '--autostash', '--continue', '--abort') &&
      (await seen.probe.git()) === null
    )
      return stashed(seen, other);
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

/** git's own words: the changes are put aside, and for a pull brought back. */
function stashed(seen: SeenFailure, simple: Simple): Mend {
  const isPull = isVerb(simple, 'pull');
  const text = seen.command.slice(simple.pos, simple.end).trim();
  return {
    modify: splice(seen.command, [
      { ...simple, text: `git stash && ${text}${isPull ? ' && git stash pop' : ''}` },
    ]),
    reasoning: 'Changes that are not committed stand in the way; git says to stash them.',
    confidence: 0.75,
  };
}

export const notARepository: MendingRule = {
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

const names = [
  'GIT_AUTHOR_NAME=planwright',
  'GIT_AUTHOR_EMAIL=planwright@localhost',
  'GIT_COMMITTER_NAME=planwright',
  'GIT_COMMITTER_EMAIL=planwright@localhost',
];

export const identity: MendingRule = {
  id: 'git-identity',
  about: 'git does not know who commits: a neutral name is given for this run, and nothing is configured.',
  async propose(seen) {
    if (
      !/Author identity unknown|Please tell me who you are|empty ident name|Committer identity unknown|unable to auto-detect email address/.test(
        seen.output,
      )
    )
      return null;
    const gits = byProgram(seen, 'git');
    if (gits.length === 0 || gits.some((simple) => isVerb(simple, 'push', 'tag', 'clone'))) return null;
    return {
      steps: [{ title: 'Name who writes and commits in this run', command: `export ${names.join(' ')}` }],
      reasoning:
        'git does not know who commits. A neutral name is given for this run; nothing is configured.',
      confidence: 0.72,
    };
  },
};

export const staleLock: MendingRule = {
  id: 'git-stale-lock',
  about: 'Another git may be at work: its lock is waited for. It is taken away by a person only.',
  propose(seen) {
    if (!/Unable to create '[^']+\.lock': File exists/.test(seen.output)) return null;
    if (seen.failure.earlier.length > 1) return null;
    return {
      retry: true,
      delayMs: backoff(seen.failure.earlier),
      reasoning: 'Another git holds a lock on the repository; it is usually done in a moment.',
      confidence: 0.7,
    };
  },
};

export const branchExists = onCommand({
  id: 'git-branch-exists',
  about: 'The branch that was to be made is there: it is switched to, as it is.',
  programs: ['git'],
  verbs: ['checkout', 'switch'],
  says: /[aA] branch named '(.+)' already exists/,
  propose({ tree }, simple, [, name]) {
    const flag = simple.args.find((arg) => ['-b', '-c', '--create'].includes(arg.value));
    // With a start point it was to be made from there; what is here may be something else.
    if (flag === undefined || rest(simple).length !== 1 || rest(simple)[0]!.value !== name) return null;
    return {
      modify: dropWord(tree, flag),
      reasoning: `The branch \`${name}\` is there already; it is switched to.`,
      confidence: 0.9,
    };
  },
});

export const addMissing = onCommand({
  id: 'git-add-all',
  about: 'A commit was to be made, and nothing is staged though tracked files have changed: they are.',
  programs: ['git'],
  verbs: ['commit'],
  says: /no changes added to commit/,
  unless: /^-[a-zA-Z]*a|^--(?:all|amend)(?:=|$)/,
  propose({ tree, output }, simple) {
    if (!/Changes not staged for commit/.test(output)) return null;
    if (rest(simple).length > (hasFlag(simple, '-m', '--message') ? 1 : 0)) return null;
    return {
      modify: insertAfter(tree, verbOf(simple)!, '-a'),
      reasoning: 'Nothing is staged; -a commits what has changed in the tracked files.',
      confidence: 0.72,
    };
  },
});

export const pathspecAdd = onCommand({
  id: 'git-add-first',
  about: 'A file that is to be committed or removed is not known to git yet: it is added first.',
  programs: ['git'],
  verbs: ['commit', 'mv', 'stash'],
  says: /pathspec '([^'\n]+)' did not match any file\(s\) known to git/,
  async propose({ probe }, _, [, path = '']) {
    const kind = await probe.kind(path);
    // Unseen, a word without a dot may be one of a message that lost its quotes.
    if (kind !== 'file' && (kind !== null || !/[./]/.test(path))) return null;
    return {
      steps: [{ title: `Let git know ${path}`, command: `git add -- ${shellWord(path)}` }],
      reasoning: `\`${path}\` is there, but git does not follow it yet.`,
      confidence: 0.86,
    };
  },
});

export const rmFolder = onCommand({
  id: 'git-rm-recursive',
  about: 'git rm needs -r for a folder; what it removes stays in the history.',
  programs: ['git'],
  verbs: ['rm'],
  says: /not removing '([^']+)' recursively without -r/,
  propose: ({ tree }, simple) => ({
    modify: insertAfter(tree, verbOf(simple)!, '-r'),
    reasoning: 'git removes a folder only with -r.',
    confidence: 0.85,
  }),
});

export const flagAfterFile: MendingRule = {
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
      modify: swapWords(seen.tree, before, word),
      reasoning: `git takes \`${flag}\` before the file names.`,
      confidence: 0.9,
    };
  },
};
