import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords, splice } from '../command/edit.ts';
import { git, rest } from './git.ts';
import { type MendingRule, onCommand, verbOf } from './rule.ts';

/** What git itself names as the way. Where that goes past a check, the gate asks a person. */

export const addIgnored = onCommand({
  id: 'git-add-ignored',
  about: 'A file that git was told to ignore is added by its name; git names -f for that: a person is asked.',
  programs: ['git'],
  verbs: ['add'],
  says: /ignored by one of your \.gitignore files:[\s\S]*Use -f if you really want to add them/,
  unless: /^(?:-f|--force|-A|--all|\.|-u|--update)$/,
  propose: ({ tree }, simple) => ({
    modify: insertAfter(tree, verbOf(simple)!, '--force'),
    reasoning: 'git ignores what is added here, and adds it with --force only.',
    confidence: 0.6,
  }),
});

export const removeChanged = onCommand({
  id: 'git-rm-changed',
  about: 'git does not remove a file with changes; it names the flag that keeps the file: a person is asked.',
  programs: ['git'],
  verbs: ['rm'],
  says: /use --cached to keep the file/,
  unless: /^(?:-f|--force|--cached)$/,
  propose: ({ tree }, simple) => ({
    modify: insertAfter(tree, verbOf(simple)!, '--cached'),
    reasoning: 'The file has changes that are not committed; with --cached git only stops to follow it.',
    confidence: 0.6,
  }),
});

export const diffOutside = onCommand({
  id: 'git-diff-no-index',
  about: 'Two files that git does not follow are compared with --no-index, as its usage says.',
  programs: ['git'],
  verbs: ['diff'],
  says: /usage: git diff --no-index/,
  unless: /^--no-index$/,
  propose({ tree }, simple) {
    if (rest(simple).length !== 2) return null;
    return {
      modify: insertAfter(tree, verbOf(simple)!, '--no-index'),
      reasoning: 'git compares files that it does not follow with --no-index.',
      confidence: 0.88,
    };
  },
});

export const stashMessage = onCommand({
  id: 'git-stash-message',
  about: 'A message behind `git stash` needs the word that takes one.',
  programs: ['git'],
  verbs: ['stash'],
  says: /usage: git stash[\s\S]*\bgit stash (?:\[?save\b|push\b)/,
  unless: /^-/,
  propose({ tree, output }, simple) {
    const words = rest(simple);
    // One word is a verb with a slip; several are somebody's sentence.
    if (words.length < 2) return null;
    const text = /\bgit stash \[?save\b/.test(output) ? 'save' : 'push -m';
    return {
      modify: splice(tree.text, [
        text === 'save'
          ? { pos: verbOf(simple)!.end, end: verbOf(simple)!.end, text: ' save' }
          : {
              pos: words[0]!.pos,
              end: words.at(-1)!.end,
              text: `push -m "${words.map(({ value }) => value.replace(/["$`\\]/g, '\\$&')).join(' ')}"`,
            },
      ]),
      reasoning: 'git takes these words for a command of its stash; they are a message.',
      confidence: 0.7,
    };
  },
});

export const helpOfAlias = onCommand({
  id: 'git-help-alias',
  about: 'Help was asked for an alias; git says what it stands for.',
  programs: ['git'],
  verbs: ['help'],
  says: /['`](?:git )?([\w.-]{1,64})'? is aliased to ['`]([\w-]+)/,
  propose({ tree }, simple, [, alias, real]) {
    const word = rest(simple).find(({ value }) => value === alias);
    if (word === undefined) return null;
    return {
      modify: replaceWords(tree, [[word, real!]]),
      reasoning: `\`${alias}\` stands for \`${real}\`.`,
      confidence: 0.85,
    };
  },
});

export const nothingToContinue = onCommand({
  id: 'git-rebase-empty',
  about: 'A patch of a rebase has come to nothing; git names --skip for that: a person is asked.',
  programs: ['git'],
  verbs: ['rebase'],
  says: /No changes - did you forget to use 'git add'\?[\s\S]*skip this patch/,
  propose({ tree }, { args }) {
    const word = args.find(({ value }) => value === '--continue');
    if (word === undefined) return null;
    return {
      modify: replaceWords(tree, [[word, '--skip']]),
      reasoning: 'What this patch does is there already; git goes on with --skip.',
      confidence: 0.6,
    };
  },
});

export const pushByOtherName: MendingRule = {
  id: 'git-push-other-name',
  about: 'The branch follows one of another name; git names the push that goes there. A push is asked about.',
  propose(seen) {
    const push = git(seen, 'push');
    if (push === null || !/does not match\s+the name of your current branch/.test(seen.output)) return null;
    const told = /^\s+git push (\S+ HEAD:\S+)\s*$/m.exec(seen.output)?.[1];
    if (told === undefined || rest(push).length > 0) return null;
    return {
      modify: insertAfter(seen.tree, push.args.at(-1)!, told),
      reasoning: `The branch follows one of another name; git pushes to it with \`${told}\`.`,
      confidence: 0.7,
    };
  },
};

export const messageUnquoted = onCommand({
  id: 'git-message-unquoted',
  about: 'A message of several words has no quotes: git takes all but the first for files.',
  programs: ['git'],
  verbs: ['commit', 'tag'],
  says: /pathspec '[^'\n]+' did not match any file|too many arguments/,
  async propose({ tree, probe }, simple) {
    const at = simple.args.findIndex(({ value }) => /^-[a-zA-Z]*m$|^--message$/.test(value));
    const words = at < 0 ? [] : simple.args.slice(at + 1);
    // A flag behind it, or a file that is there, is no part of a sentence.
    if (words.length < 2 || words.some(({ value, literal }) => !literal || value.startsWith('-')))
      return null;
    for (const { value } of words.slice(1)) if ((await probe.kind(value)) !== 'absent') return null;
    if (words.slice(1).some(({ value }) => /[/\\]|\.\w+$/.test(value))) return null;
    const message = words.map(({ value }) => value).join(' ');
    return {
      modify: splice(tree.text, [{ pos: words[0]!.pos, end: words.at(-1)!.end, text: shellWord(message) }]),
      reasoning: 'The message has several words; in quotes they are one.',
      confidence: 0.86,
    };
  },
});

export const remoteBefore = onCommand({
  id: 'git-switch-remote',
  about: 'A branch is named with its remote before it: git makes the local one that follows it by its name.',
  programs: ['git'],
  verbs: ['switch'],
  says: /a branch is expected, got remote branch '([^'\n]+)'/,
  unless: /^-/,
  async propose({ tree, probe }, simple, [, named]) {
    const [word, ...others] = rest(simple);
    const facts = await probe.git();
    const remote = facts?.remotes.find((each) => named!.startsWith(`${each}/`));
    if (
      word === undefined ||
      word.value !== named ||
      others.length > 0 ||
      facts === null ||
      remote === undefined
    )
      return null;
    const branch = named!.slice(remote.length + 1);
    // Two remotes that have it, and git would not know which.
    if (facts.remoteBranches.filter((each) => each.endsWith(`/${branch}`)).length !== 1) return null;
    return {
      modify: replaceWords(tree, [[word, branch]]),
      reasoning: `\`${named}\` is the branch of the remote; \`${branch}\` is the one that follows it here.`,
      confidence: 0.88,
      ...(facts.branches.includes(branch)
        ? {}
        : { doubt: `There is no branch \`${branch}\` yet: one that follows \`${named}\` would be made.` }),
    };
  },
});

export const newBranch = onCommand({
  id: 'git-new-branch',
  about: 'A branch that nobody knows is to be switched to: it is made, where a person agrees.',
  programs: ['git'],
  verbs: ['checkout', 'switch'],
  says: /pathspec '([^'\n]+)' did not match any file\(s\) known to git|invalid reference: (\S+)/,
  unless: /^-/,
  propose({ tree, output }, simple, [, path, reference]) {
    const name = path ?? reference;
    const [word, ...others] = rest(simple);
    if (word === undefined || others.length > 0 || word.value !== name || /[.~^:]|\/$/.test(name))
      return null;
    if (/is not a commit|did you mean/i.test(output)) return null;
    const flag = verbOf(simple)!.value === 'switch' ? '-c' : '-b';
    return {
      modify: insertAfter(tree, verbOf(simple)!, flag),
      reasoning: `There is no branch \`${name}\`; ${flag} makes it from where the folder is now.`,
      confidence: 0.55,
    };
  },
});

export const branchMadeTwice = onCommand({
  id: 'git-branch-made-twice',
  about: 'A branch that was to be made is there: it is switched to, where a person agrees.',
  programs: ['git'],
  verbs: ['branch'],
  says: /[aA] branch named '(.+)' already exists/,
  unless: /^-/,
  propose({ tree }, simple, [, name]) {
    if (rest(simple).length !== 1 || rest(simple)[0]!.value !== name) return null;
    return {
      modify: replaceWords(tree, [[verbOf(simple)!, 'checkout']]),
      reasoning: `The branch \`${name}\` is there already.`,
      confidence: 0.55,
    };
  },
});
