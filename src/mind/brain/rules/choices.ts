import { isSameVerb } from '../../../core/plan/index.ts';
import { changesMeaning, isSlip } from '../../../core/plan/nearest.ts';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { replaceWords } from '../command/edit.ts';
import { type MendingRule, type SeenFailure, verbOf } from './rule.ts';
import { meant } from './similar.ts';
import { subcommandsOf } from './subcommands.ts';

/** How tools say that they do not know a word, the word captured. */
const unknown = [
  /(?:unknown|invalid|unrecogni[sz]ed|no such|undefined|unsupported|illegal)\s+(?:lifecycle phase|sub-?command|command(?: verb| line argument)?|operation|choice|action|option|value|argument|task|target|verb|keyword)\s*:?\s*[`'"‘]?([^\s`'"’,.;()]+)/i,
  /[`'"‘]([^\s`'"’]+)['"’`]? is not (?:a|an) (?:[\w.-]+ )?(?:command|subcommand|valid command|task|option)/i,
  /(?:argument|option) [^\n:]*: invalid (?:choice|value)\s*:?\s*[`'"‘]?([^\s`'"’,]+)/i,
  /(?:invalid value|invalid argument) [`'"‘]([^\s`'"’]+)['"’`]/i,
  /task [`'"‘]([^\s`'"’]+)['"’`] (?:not found|is not in)/i,
  /^(?:[\w.-]+) ([\w-]+): unknown (?:sub)?command/im,
  /unknown command "([^\s"]+)" for "/i,
  /^([\w-]+): (?:no such|unknown) command/im,
  /No such command:? ["'`]?([^\s."'`]+)/i,
  /Command\(s\) not found:\s*\n\s+(\S+)/,
  /(?:unknown command:?|command not recognized:?) (?:docker |[\w-]+ )?([\w-]+)\s*$/im,
];

/** Where a tool lists what it does know. */
const lists = [
  /\(choose from ([^)\n]+)\)/i,
  /\[possible values: ([^\]\n]+)\]/i,
  /\b(?:available|valid|possible|supported|allowed|known)\s+(?:[\w ]+ )?(?:are\b|is\b|:)\s*:?\s*([^\n]+)/i,
  /(?:must be|should be|expected|is) one of(?: the following)?:?\s*\n?([^\n]+(?:\n[ \t]+[^\n]+)*)/i,
  /(?:commands|subcommands|phases|operations|targets|tasks|verbs)(?: are)?:[ \t]*\n(?:[ \t]*\n)?((?:[ \t]+[^\n]+\n?)+)/i,
];

export const nearestChoice: MendingRule = {
  id: 'nearest-choice',
  about:
    'The tool does not know a word; the nearest of those that it lists, or that it is known to have, is taken.',
  propose(seen) {
    const target = unknownWord(seen);
    // hg has it, in an extension that is not switched on.
    if (target === null || /provided by the following extension/.test(seen.output)) return null;
    const { simple, word } = target;
    const listed = choicesIn(seen.output);
    const sibling = siblings[simple.program]?.find((tool) => subcommandsOf(tool).includes(word.value));
    if (sibling !== undefined) {
      return {
        modify: replaceWords(seen.tree, [[simple.name, sibling]]),
        reasoning: `${simple.program} has no \`${word.value}\`; ${sibling} has.`,
        confidence: 0.85,
      };
    }
    const known = subcommandsOf(simple.program);
    const same = known.find((verb) => verb !== word.value && isSameVerb(simple.program, word.value, verb));
    const found = meant(word.value, listed) ?? same ?? meant(word.value, known);
    if (found === null || (word.value.startsWith('-') && !found.startsWith('-'))) return null;
    return {
      modify: replaceWords(seen.tree, [[word, found]]),
      reasoning: `${simple.program} has no \`${word.value}\`; \`${found}\` is the nearest that it has.`,
      confidence: 0.85,
    };
  },
};

/** Tools that share their work: what one does not know, the other may. */
const siblings: Record<string, readonly string[]> = {
  'apt-get': ['apt-cache'],
  'apt-cache': ['apt-get'],
};

/** All that some tools say to a verb that they do not know: what they are, or how they are used. */
const banner = /^\s*(?:usage:|[\w ]+ version \d)/i;

export const usageChoice: MendingRule = {
  id: 'usage-choice',
  about:
    'The tool answers a word with its usage, or with what it is; the nearest of the words in it, or that it is known to have, is taken.',
  propose(seen) {
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    const verb = simple === null ? null : verbOf(simple);
    const word = simple === null || verb === null ? undefined : simple.args[simple.args.indexOf(verb) + 1];
    if (simple !== null && verb !== null && banner.test(seen.output)) {
      const known = subcommandsOf(simple.program);
      const right = known.includes(verb.value) ? null : meant(verb.value, known);
      if (right !== null && isSlip(verb.value, right))
        return {
          modify: replaceWords(seen.tree, [[verb, right]]),
          reasoning: `${simple.program} has no \`${verb.value}\`, and only says what it is; \`${right}\` is a slip away.`,
          confidence: 0.8,
        };
    }
    if (simple === null || verb === null || word === undefined || !/^[\w-]+$/.test(word.value)) return null;
    const lines = [...seen.output.matchAll(/^[ \t]*(?:usage|or): *([^\n]+)/gim)].map((match) => match[1]!);
    const own = lines.filter((line) => line.startsWith(`${simple.program} ${verb.value} `));
    if (own.length === 0 || word.value.startsWith('-')) return null;
    const isListed = own.some((line) => /^\S+ \S+ (?:\[[^\]]*\] )?(?:COMMAND|<command>)/.test(line));
    const words = own.flatMap((line) => {
      const rest = line.slice(`${simple.program} ${verb.value} `.length);
      const first = /^[[({]?\s*([\w-]+(?:\s*\|\s*[\w-]+)*)/.exec(rest)?.[1] ?? '';
      return first.split('|').map((part) => part.trim());
    });
    if (isListed) words.push(...choicesIn(seen.output));
    const found = words.includes(word.value) ? null : meant(word.value, words);
    if (found === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, found]]),
      reasoning: `${simple.program} ${verb.value} has no \`${word.value}\`; \`${found}\` is the nearest that its usage names.`,
      confidence: 0.85,
    };
  },
};

function unknownWord(seen: SeenFailure): { simple: Simple; word: WordAt } | null {
  for (const pattern of unknown) {
    const named = pattern.exec(seen.output)?.[1];
    if (named === undefined) continue;
    const found = seen.tree.simples.flatMap((simple) => {
      const word = simple.args.find((arg) => arg.literal && arg.value === named);
      return word !== undefined && speaks(simple, seen.output) ? [{ simple, word }] : [];
    });
    if (found.length === 1) return found[0]!;
  }
  return null;
}

/** Other tools that a message may come from; where one of them speaks, it is not this command's own message. */
const voices: Record<string, RegExp> = {
  gradle: /gradle|\* What went wrong:/i,
  gulp: /gulpfile/i,
  grunt: /Use --force to continue|\bgrunt\b/i,
  gem: /While executing gem/,
  mvn: /lifecycle phase/,
};

export function speaks(simple: Simple, output: string): boolean {
  const program = simple.program.replace(/^gradlew$/, 'gradle').replace(/^mvnw$/, 'mvn');
  return Object.entries(voices).every(([voice, pattern]) => voice === program || !pattern.test(output));
}

/** Lists of any form: two or more words with a comma, a bar or a slash between them, or one a line behind its mark. */
const anyList =
  /[`'"‘{([<]*[\w:.-]{2,40}[`'"’]?(?:\s{0,3}(?:,(?:\s*(?:or|and)\b)?|\||\/|\bor\b|;)\s{0,3}[`'"‘]?[\w:.-]{2,40}[`'"’]?){1,40}/g;
const anyLine = /^(?:[ \t]*(?:[-*•·>]|\d{1,2}[.)]|\[\w\])|[ \t]{2,})[ \t]*[`'"‘]?([\w:.-]{2,40})/gm;

/** All words of all lists in the output. */
export function choicesIn(output: string): string[] {
  const words = lists.flatMap((pattern) => {
    const text = pattern.exec(output)?.[1];
    if (text === undefined) return [];
    const isTable = text.split('\n').length > 1 && !text.includes(',');
    return isTable ? text.split('\n').map((line) => line.trim().split(/\s+/)[0]!) : text.split(/[\s,|]+/);
  });
  return tidy(words);
}

const listedIn = (output: string): string[] =>
  tidy([
    ...[...output.matchAll(anyList)].flatMap(([text]) => text.split(/\s*(?:[,|/;]|\bor\b|\band\b)\s*/)),
    ...[...output.matchAll(anyLine)].map(([, word]) => word!),
  ]);

const refused =
  /\b(?:unknown|invalid|unrecogni[sz]ed|unsupported|undefined|illegal|bad|unexpected|wrong|no such|not (?:a |an |one |in |valid|known|supported|found|recogni[sz]ed|allowed|available|defined)|isn't|must be|should be|expected|choose|does not exist|doesn't exist|cannot find|could not (?:find|create|load|resolve)|no \w+ (?:named|called))/i;

export const listedChoice: MendingRule = {
  id: 'listed-choice',
  about:
    'The tool turns a word away and lists, in whatever form, what it takes: one of these is a slip away.',
  propose(seen) {
    const lines = seen.output.split('\n').filter((line) => refused.test(line));
    if (lines.length === 0 || lines.length > 6) return null;
    const listed = listedIn(seen.output);
    const found = seen.tree.simples.flatMap((simple) =>
      simple.args.flatMap((word) => {
        const [flag, own = ''] = /^--?[\w-]+=(.+)$/.exec(word.value) ?? ['', word.value];
        if (!word.literal || !/^[\w:.-]{3,40}$/.test(own) || own.startsWith('-')) return [];
        const isNamed = new RegExp(`(?<![\\w.-])${RegExp.escape(own)}(?![\\w-])`);
        if (!lines.some((line) => isNamed.test(line)) || !speaks(simple, seen.output)) return [];
        const right = theSlip(own, listed);
        const before = flag === '' ? '' : word.value.slice(0, -own.length);
        return right === null ? [] : [{ simple, word, own, right, value: before + right }];
      }),
    );
    const [only] = found;
    if (only === undefined || found.length > 1) return null;
    return {
      modify: replaceWords(seen.tree, [[only.word, only.value]]),
      reasoning: `${only.simple.program} does not take \`${only.own}\`; of what it lists \`${only.right}\` is a slip away.`,
      confidence: 0.78,
    };
  },
};

function theSlip(word: string, listed: readonly string[]): string | null {
  if (listed.includes(word) && listed.filter((each) => each === word).length > 1) return null;
  const near = [...new Set(listed)].filter((each) => isSlip(word, each) && !changesMeaning(word, each));
  return near.length === 1 ? near[0]! : null;
}

function tidy(words: readonly string[]): string[] {
  return words
    .map((word) => word.replace(/^[`'"‘{([<]+|[`'"’})\].,;*]+$/g, ''))
    .filter((word) => /^[\w:-]+$/.test(word));
}
