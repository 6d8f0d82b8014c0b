import type { Template } from './template.ts';

export interface Match {
  template: Template;
  /** From 0 to 1: how much of what was said the template is about. */
  score: number;
}

/** Below this a goal is about something else. */
export const ENOUGH = 0.45;
/** A second template this near to the first, and only a person can tell. */
const NEAR = 0.08;

const STOP_WORDS = new Set(
  'a an and any are as at be by can could do does for from get give have how i if in into is it its just let like make me my need of on onto or our please put run set should some so something that the their them then there these they this to up us use want was we what when where which who will with would you your now new'.split(
    ' ',
  ),
);

/** Words that mean the same in a goal. Each is replaced by the first of its row. */
const ALIKE: readonly string[][] = [
  ['folder', 'directory', 'dir', 'folders', 'directories', 'here'],
  ['backup', 'backups', 'save', 'saving', 'archive'],
  ['certificate', 'cert', 'certs', 'certificates', 'ssl', 'tls'],
  ['database', 'db', 'databases'],
  ['project', 'app', 'package', 'library'],
  ['large', 'big', 'biggest', 'huge', 'largest'],
  ['website', 'site', 'webpage', 'page', 'url'],
  ['repository', 'repo', 'repositories'],
  ['venv', 'virtualenv'],
  ['node', 'nodejs', 'javascript', 'js', 'npm'],
  ['create', 'begin', 'start', 'init', 'initialise', 'initialize', 'scaffold'],
  ['check', 'verify', 'test', 'prove'],
];
const alike = new Map(ALIKE.flatMap((row) => row.map((word) => [word, row[0]!] as const)));

/** What takes away is no small part of a goal: a template that does not know the word is about something else. */
const TAKES_AWAY: readonly string[] = ['delete', 'remove', 'erase', 'wipe', 'uninstall', 'purge', 'drop'];

/** `files` → `file`, `rotating` → `rotat`, `rotate` → `rotat`: enough to find a word again. */
function stem(word: string): string {
  const short = word.replace(/(?:ations?|ings?|ies|ied|es|ed|s|e)$/, '');
  return short.length >= 3 ? short : word;
}

/** The words of a text that say something, each once, as they are compared. */
export function wordsOf(text: string): Set<string> {
  const words = text
    .slice(0, 2000)
    .toLowerCase()
    .replaceAll(/back(?:ing)?[ -]+up/g, 'backup')
    .replaceAll('node.js', 'node')
    // Hosts, versions and paths are values, not what a goal is about.
    .replaceAll(/\S*\w[./]\w\S*/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !STOP_WORDS.has(word) && !/^\d+[a-z]?$/.test(word));
  return new Set(words.map((word) => stem(alike.get(word) ?? word)));
}

/** Beginnings of words by which a text like this one can be found: its own, and what means the same. */
export function searchWords(text: string): string[] {
  const stems = wordsOf(text);
  const same = ALIKE.filter((row) => stems.has(stem(row[0]!))).flatMap((row) => row.map(stem));
  return [...new Set([...stems, ...same])];
}

/** How much two goals have in common, from 0 to 1. */
export function similarity(a: string, b: string): number {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : shared / Math.min(one.size, other.size);
}

const index = new WeakMap<Template, { strong: Set<string>; weak: Set<string> }>();

function termsOf(template: Template) {
  let terms = index.get(template);
  if (terms === undefined) {
    const strong = wordsOf(`${template.name.replaceAll('-', ' ')} ${template.plan.goal}`);
    terms = { strong, weak: wordsOf(`${template.about} ${template.keywords.join(' ')}`) };
    index.set(template, terms);
  }
  return terms;
}

/**
 * How well a template fits: the share of the goal's words that it knows, each weighed by how few templates know it, and
 * whether the goal says what the template is named for.
 */
export function matchTemplates(goal: string, templates: readonly Template[]): Match[] {
  const said = [...wordsOf(goal)];
  if (said.length === 0) return [];
  const known = (word: string) => templates.filter((each) => has(termsOf(each), word)).length;
  const weights = said.map((word) => Math.log(1 + templates.length / (1 + known(word))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const taking = TAKES_AWAY.map(stem).filter((word) => said.includes(word));
  return templates
    .filter((template) => taking.every((word) => has(termsOf(template), word)))
    .map((template) => ({ template, score: scoreOf(template, said, weights, total) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.template.name.localeCompare(b.template.name));
}

const has = ({ strong, weak }: ReturnType<typeof termsOf>, word: string) =>
  strong.has(word) || weak.has(word);

function scoreOf(
  template: Template,
  said: readonly string[],
  weights: readonly number[],
  total: number,
): number {
  const terms = termsOf(template);
  const covered = said.reduce((sum, word, at) => {
    if (terms.strong.has(word)) return sum + weights[at]!;
    return sum + (terms.weak.has(word) ? weights[at]! * 0.6 : 0);
  }, 0);
  const named = [...terms.strong].filter((word) => said.includes(word)).length / terms.strong.size;
  return (covered / total) * 0.65 + named * 0.35;
}

export type ChosenTemplate =
  | { ok: true; template: Template; score: number }
  /** Several fit as well, or none does well enough: the nearest ones, best first. */
  | { ok: false; near: Match[] };

/** The one template that a goal is about. */
export function chooseTemplate(goal: string, templates: readonly Template[]): ChosenTemplate {
  const [first, second, ...others] = matchTemplates(goal, templates);
  if (first === undefined || first.score < ENOUGH) {
    return {
      ok: false,
      near: [first, second].filter((each) => each !== undefined && each.score > ENOUGH / 2) as Match[],
    };
  }
  if (second !== undefined && first.score - second.score < NEAR) {
    return { ok: false, near: [first, second, ...others].filter(({ score }) => first.score - score < NEAR) };
  }
  return { ok: true, template: first.template, score: first.score };
}
