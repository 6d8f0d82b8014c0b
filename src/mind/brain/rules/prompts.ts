import type { Simple } from '../../../core/shell/index.ts';
import { insertAfter } from '../command/edit.ts';
import { hasFlag, isVerb, type MendingRule, type SeenFailure, verbOf } from './rule.ts';
import { scriptOf } from './scripts.ts';

/** A prompt that the program showed and nobody could answer, and the flag by which that program says yes beforehand. */
const prompts: readonly {
  readonly programs: readonly string[];
  readonly verbs?: readonly string[];
  readonly asked: RegExp;
  readonly flag: string;
  /** By which the command says so already; `-y` and `--yes` unless said. */
  readonly has?: RegExp;
}[] = [
  {
    programs: ['apt', 'apt-get', 'aptitude', 'nala'],
    asked: /Do you want to continue\? \[Y\/n\]/,
    flag: '-y',
    has: /^(?:-\w*y\w*|--yes|--assume-yes)$/,
  },
  {
    programs: ['dnf', 'yum', 'zypper', 'microdnf'],
    asked: /Is this ok \[y\/N\]|Operation aborted|Continue\? \[y\/n/,
    flag: '-y',
    has: /^(?:-\w*y|--assumeyes)$/,
  },
  {
    programs: ['pacman'],
    asked: /Proceed with installation\? \[Y\/n\]/,
    flag: '--noconfirm',
    has: /^--noconfirm$/,
  },
  { programs: ['conda', 'mamba'], asked: /Proceed \(\[y\]\/n\)\?/, flag: '-y' },
  { programs: ['pip', 'pip3'], verbs: ['uninstall'], asked: /Proceed \(Y\/n\)\?/, flag: '-y' },
  {
    programs: ['npx'],
    asked: /Ok to proceed\? \(y\)|npx canceled due to missing packages and no YES option/,
    flag: '--yes',
  },
  {
    programs: ['npm'],
    verbs: ['init'],
    asked: /package name: \(|This utility will walk you through/,
    flag: '-y',
  },
  { programs: ['yarn'], verbs: ['init'], asked: /question name \(/, flag: '-y' },
  {
    programs: ['rustup-init', 'rustup-init.sh'],
    asked: /Proceed with (?:standard )?installation/,
    flag: '-y',
    has: /^-y$/,
  },
  {
    programs: ['flatpak'],
    asked: /Proceed with these changes|Do you want to install it\?/,
    flag: '-y',
    has: /^-y$/,
  },
  {
    programs: ['gcloud'],
    asked: /Do you want to continue \(Y\/n\)\?/,
    flag: '--quiet',
    has: /^(?:-q|--quiet)$/,
  },
  { programs: ['add-apt-repository'], asked: /Press \[ENTER\] to continue/i, flag: '-y', has: /^-y$/ },
];

export const answersPrompt: MendingRule = {
  id: 'prompt-yes',
  about: 'The program asked whether it should do what the step says; its own flag answers that beforehand.',
  propose(seen) {
    for (const { programs, verbs, asked, flag, has = /^(?:-y|--yes)$/ } of prompts) {
      if (!asked.test(seen.output)) continue;
      const simple = seen.tree.simples.find(
        (found) => programs.includes(found.program) && (verbs === undefined || isVerb(found, ...verbs)),
      );
      if (simple === undefined || simple.args.some((arg) => has.test(arg.value))) continue;
      if (removesMore(seen)) return null;
      const after = verbOf(simple);
      return {
        modify: insertAfter(seen.tree, flag === '--yes' || after === null ? simple.name : after, flag),
        reasoning: `${simple.program} waits for an answer that nobody can give here; ${flag} says yes to what the step asks for.`,
        confidence: 0.88,
      };
    }
    return null;
  },
};

/** Nobody has agreed to what the package manager would remove besides. */
const removesMore = (seen: SeenFailure): boolean =>
  /The following packages will be REMOVED|WARNING: The following essential packages/.test(seen.output);

export const question = /\[y\/n\]|\(y\/n\)|\(yes\/no\)|\b(?:continue|proceed|are you sure)[^\n]{0,80}\?/i;
const namedYes =
  /\b(?:use|pass|add|give|specify|with|set|try|supply)\s+(?:the\s+)?[`'"]?(--(?:yes|assume-yes|no-input|noinput|non-interactive|no-prompt|batch)|-y)(?![\w-])/i;
/** What cannot be taken back, is seen by others, or binds somebody is agreed to by a person. */
export const grave =
  /(?<![a-z])(?:delet|remov|destroy|drop|overwrit|eras|wip[ei]|irrevers|undo|los[et]|productio|reset|purg|replac|truncat|format|publish|deploy|charg|pay|licen[cs]e|agree|accept|consent|terms|send|sent|e?mail|invoice|bill|customer|notif|migrat|kill|shut|push|merg|releas|upload|cancel|revok|grant|rm(?![a-z]))/i;

export const promptNamesFlag: MendingRule = {
  id: 'prompt-names-flag',
  about:
    'A tool asks, nobody can answer, and it names the flag that answers beforehand; nothing is lost by it.',
  async propose(seen) {
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    if (simple === null || !question.test(seen.output)) return null;
    if (grave.test(seen.output) || grave.test(seen.command)) return null;
    const flag = namedYes.exec(seen.output)?.[1] ?? (await flagOfScript(seen, simple));
    if (flag === null || hasFlag(simple, flag, '--')) return null;
    return {
      modify: insertAfter(seen.tree, simple.args.at(-1) ?? simple.name, flag),
      reasoning: `${simple.program} waits for an answer that nobody can give here, and names ${flag} for that.`,
      confidence: 0.75,
    };
  },
};

/** A script of the project that takes such a flag, and does nothing by it that cannot be taken back. */
async function flagOfScript(seen: SeenFailure, simple: Simple): Promise<string | null> {
  const script = scriptOf(simple);
  const text = script === null ? null : await seen.probe.readText(script);
  if (text === null || grave.test(text)) return null;
  const flags = text.match(/(?<![\w-])--(?:yes|assume-yes|no-input|non-interactive|no-prompt)(?![\w-])/g);
  return flags?.[0] ?? (/(?:^|[|(\s'"])-y(?=[|)\s'"])/m.test(text) ? '-y' : null);
}

const editorFailed =
  /Terminal is dumb, but EDITOR unset|there was a problem with the editor|Please supply the message using either -m or -F|standard input is not a terminal|cannot run editor|Please specify the message/i;

export const gitNoEdit: MendingRule = {
  id: 'git-no-edit',
  about: 'git opened an editor for a message that it has made itself; --no-edit takes it as it is.',
  propose(seen) {
    const simple = seen.tree.simples.find(({ program }) => program === 'git');
    if (simple === undefined || !editorFailed.test(seen.output) || hasFlag(simple, '--no-edit', '-m'))
      return null;
    const verb = verbOf(simple)!;
    const makesOne =
      ['merge', 'revert', 'pull'].includes(verb.value) ||
      (verb.value === 'cherry-pick' && hasFlag(simple, '--edit', '-e') === false) ||
      (verb.value === 'commit' && hasFlag(simple, '--amend'));
    if (makesOne) {
      return {
        modify: insertAfter(seen.tree, verb, '--no-edit'),
        reasoning:
          'git wants to edit a message, and there is no editor; --no-edit keeps the message that it has.',
        confidence: 0.9,
      };
    }
    if (verb.value === 'rebase' && hasFlag(simple, '--continue')) {
      return {
        modify: seen.command.slice(0, simple.pos) + 'GIT_EDITOR=true ' + seen.command.slice(simple.pos),
        reasoning: 'git wants to edit a message, and there is no editor; the message that it has is kept.',
        confidence: 0.85,
      };
    }
    return null;
  },
};
