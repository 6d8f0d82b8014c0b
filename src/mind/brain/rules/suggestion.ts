import { isSameVerb } from '../../../core/plan/index.ts';
import { changesMeaning, editDistance, isSlip } from '../../../core/plan/nearest.ts';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { replaceWords, splice } from '../command/edit.ts';
import { isAbsent } from './absent.ts';
import { speaks } from './choices.ts';
import { manifestOf } from './node.ts';
import { type Mend, type MendingRule, type SeenFailure, verbOf } from './rule.ts';
import { meant } from './similar.ts';
import { subcommandsOf } from './subcommands.ts';

/** "Did you mean": the tool names the word that it did not know, and the one that it does. */
const phrase =
  /(?:did you mean|(?:maybe|perhaps|probably) you meant|did you want|a (?:\w+ )?(?:command|subcommand|argument|option|value|target|name|task)(?: with a)? similar[^:\n]*|(?:a )?(?:command|subcommand|argument|option|value|target|toolchain|package|feature)s? with (?:a )?similar names? exists?|(?:a )?similar (?:command|subcommand|argument|option|value|name)s? exists?|the most similar (?:commands?|choices?)[^\n]{0,60} (?:is|are)|the most similar commands? (?:is|are)|some candidates are|candidates are|possible options|perhaps you wanted|maybe you wanted)/i;

export const toolSuggests: MendingRule = {
  id: 'tool-suggests',
  about: 'The tool says which word it did not know and which one was meant ("did you mean …").',
  async propose(seen) {
    const output = seen.output.replace(/^npm (?:ERR!|error) ?/gm, '');
    const found = phrase.exec(output);
    if (found === null) return null;
    const before = output.slice(0, found.index);
    const rights = rightsIn(output.slice(found.index + found[0].length));
    if (rights.length === 0) return null;
    const target = wrongWord(seen, before, rights) ?? verbMeant(seen, rights);
    // What the tool does know was not misspelt, whatever else it offers.
    if (target !== null && subcommandsOf(target.simple.program).includes(target.word.value)) return null;
    if (target === null || !speaks(target.simple, seen.output)) return null;
    const right = choose(target.word, rights);
    if (right === null || right === target.word.value) return null;
    // A tool's own suggestion is a hint, not an order.
    const last = right.split(/\s+/).at(-1)!;
    const isSame = isSameVerb(target.simple.program, target.word.value, last);
    if (!isSame && changesMeaning(target.word.value, last)) return null;
    if (target.word === target.simple.name && (await isAbsent(seen, target.word.value))) return null;
    const own = await scriptMeant(seen, target);
    if (own !== null) return replacement(seen, target, own, 0.93);
    return replacement(seen, target, right, rights.length === 1 ? 0.92 : 0.8);
  },
};

/** Scripts that npm and its kin run by their bare names. */
const lifecycle = ['test', 'start', 'stop', 'restart'];

/** The script of the project that was meant, whatever else the tool would know by a word like that. */
async function scriptMeant(seen: SeenFailure, { simple, word }: Target): Promise<string | null> {
  if (!['npm', 'pnpm', 'yarn'].includes(simple.program) || word === simple.name) return null;
  const scripts = ((await manifestOf(seen))?.scripts ?? []).filter((name) => isSlip(word.value, name));
  const [only] = scripts;
  if (only === undefined || scripts.length > 1 || changesMeaning(word.value, only)) return null;
  const isRun = simple.args.some(({ value }) => /^run(?:-script)?$/.test(value));
  return isRun || lifecycle.includes(only) ? only : `${simple.program} run ${only}`;
}

/** What is offered: quoted words on the same line, or the indented lines below. */
function rightsIn(after: string): string[] {
  const [sameLine = '', ...below] = after.split('\n');
  const same = sameLine
    .replace(/^\s*(?:this|one of these(?: perhaps)?|one of|:|\?|\(|=)*\s*/i, '')
    .replace(/[?)].*$/, '');
  const quoted = quotedIn(same);
  if (quoted.length > 0) return quoted;
  if (/\w/.test(same)) {
    return same
      .split(/,|\bor\b/)
      .map((part) => part.trim().replace(/[.:]$/, ''))
      .filter((part) => part !== '' && part.split(/\s+/).length <= 3);
  }
  const rights: string[] = [];
  for (const line of below) {
    if (line.trim() === '') {
      if (rights.length > 0) break;
      continue;
    }
    if (
      !/^\s+\S|^- /.test(line) ||
      /^\s*(?:npm (?:ERR!|error)\s*)?(?:run|see|use|for|to)\b/i.test(line.replace(/^\s*npm run/, ''))
    )
      break;
    const plain = line.replace(/^\s*(?:npm (?:ERR!|error))?[\s*•-]*/, '');
    const named = /^command '([^']+)' from/i.exec(plain);
    rights.push(named?.[1] ?? quotedIn(plain)[0] ?? plain.split(/\s{2,}|\s#|\t/)[0]!.trim());
  }
  return rights.filter((right) => right !== '');
}

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/[`'"‘“]([^`'"‘’“”\s][^`'"‘’“”]*)[`'"’”]/g)].map((match) => match[1]!);

interface Target {
  readonly simple: Simple;
  readonly word: WordAt;
}

/** The word of the command that the message is about: named just before, or else plainly near to what is offered. */
function wrongWord(seen: SeenFailure, before: string, rights: readonly string[]): Target | null {
  const nearby = before.split('\n').slice(-8).join('\n');
  const all = seen.tree.simples.flatMap((simple) =>
    [simple.name, ...simple.args].filter((word) => word.literal).map((word) => ({ simple, word })),
  );
  const named = all.filter(({ word }) => mentions(nearby, word.value));
  const bare = (text: string): string => text.split(/\s+/).at(-1)!;
  const near = (target: Target): number =>
    Math.min(...rights.map((right) => editDistance(target.word.value, bare(right))));
  if (named.length > 0) {
    const sorted = named.toSorted((a, b) => near(a) - near(b));
    const [best, second] = sorted;
    const unclear =
      second !== undefined && near(second) === near(best!) && second.word.value !== best!.word.value;
    return unclear || tooFar(best!, rights) ? null : best!;
  }
  const close = all.filter((target) => near(target) > 0 && near(target) <= 2 && target.word.value.length > 3);
  return close.length === 1 ? close[0]! : null;
}

/** `yarn rm`: "did you mean `yarn remove`?". The verb is not named, and another word for what is offered. */
function verbMeant(seen: SeenFailure, rights: readonly string[]): Target | null {
  const words = rights.length === 1 ? rights[0]!.split(/\s+/) : [];
  const simple = seen.tree.simples.find(({ program }) => program === words[0]);
  const verb = simple === undefined ? null : verbOf(simple);
  if (simple === undefined || verb === null || words.length !== 2) return null;
  return isSameVerb(simple.program, verb.value, words[1]!) ? { simple, word: verb } : null;
}

/** A program's own name is mentioned everywhere: it is the wrong word only where it looks like one. */
function tooFar({ simple, word }: Target, rights: readonly string[]): boolean {
  return word === simple.name && rights.every((right) => editDistance(word.value, right.split(' ')[0]!) > 3);
}

function mentions(text: string, value: string): boolean {
  const name = value.startsWith('--') ? value.slice(2).split('=')[0]! : value;
  if (name === '') return false;
  return new RegExp(`(?<![\\w./-])(?:--)?${RegExp.escape(name)}(?![\\w/-])`).test(text);
}

function choose(word: WordAt, rights: readonly string[]): string | null {
  if (rights.length === 1) return rights[0]!;
  const last = new Map(rights.map((right) => [right.split(/\s+/).at(-1)!, right]));
  const found = meant(word.value, [...last.keys()]);
  if (found !== null) return last.get(found)!;
  // Two are as near: the one of which this is the beginning was not typed to its end.
  const begun = [...last.keys()].filter((name) => name.startsWith(word.value));
  return begun.length === 1 && word.value.length > 1 ? last.get(begun[0]!)! : null;
}

/** A right of several words is a command line of the same program: what it shares with the command is kept. */
function replacement(
  seen: SeenFailure,
  { simple, word }: Target,
  right: string,
  confidence: number,
): Mend | null {
  const reasoning = `${simple.program} does not know \`${word.value}\` and suggests \`${right}\`.`;
  let words = right.split(/\s+/);
  if (words.length === 1) {
    const value =
      word.value.includes('=') && /^--/.test(right) && !right.includes('=')
        ? right + word.value.slice(word.value.indexOf('='))
        : right;
    return { modify: replaceWords(seen.tree, [[word, value]]), reasoning, confidence };
  }
  if (words[0] !== simple.program || words.length > 4 || words.some((part) => /[<>[\]$;|&]/.test(part)))
    return null;
  words = words.slice(1);
  for (const arg of simple.args) {
    if (arg === word || arg.value !== words[0]) break;
    words = words.slice(1);
  }
  if (words.length === 0) return null;
  const modify = splice(seen.tree.text, [{ ...word, text: words.join(' ') }]);
  return { modify, reasoning, confidence };
}
