import { type Action, isLoop, type Verdict } from '../../contract/index.ts';
import { isShell, literalWords, textOf } from './commands.ts';
import { hides, isOpaque, riskOf } from './match.ts';
import { ruleId } from './parse-rules.ts';
import type { PolicyRule } from './rule.ts';

export interface NarrowOptions {
  workspace: string;
  /** Milliseconds since the epoch. */
  now: number;
  by: string;
  /** The exact action unless `prefix`: so many first words, two at least. */
  prefix?: number;
  expires?: number;
  reason?: string;
}

export type Narrowed = { ok: true; rule: PolicyRule } | { ok: false; why: string };

const MAX_ROOTS = 50;

/**
 * The rule for "always allow here": for this workspace, this action or its first words, and nothing riskier than
 * what was shown. What was shown includes where it reached: below those paths only. Refuses with a sentence where no
 * rule could be narrow. Pure, never throws.
 */
export function narrowRule(action: Action, verdict: Verdict, options: NarrowOptions): Narrowed {
  const { workspace, now, by, prefix, expires, reason } = options;
  if (isLoop(action)) return refused('A loop does something else each time: approve it when it comes.');
  if (action.kind === 'restore') return refused('An undo is something else each time.');
  if (verdict.level === 'blocked') return refused('It is blocked, and no rule lifts that.');
  if (hides(verdict))
    return refused('It hides what it would run, so there is nothing that a rule could be about.');
  const risk = riskOf(verdict, workspace);
  if (!verdict.reversible && risk.paths.some((one) => one === 'unknown' || one === 'relative'))
    return refused('What it would touch is only known when it runs, and it cannot be undone.');
  const isResolved = verdict.paths.every((path) => path.startsWith('/'));
  const roots = isResolved ? rootsOf(verdict.paths) : [];
  if (roots.length > MAX_ROOTS) return refused('It touches too many places for one rule: name their folder.');
  const made: Omit<PolicyRule, 'id'> = {
    effect: 'allow',
    action: action.kind,
    scope: workspace,
    createdAt: now,
    by,
    origin: 'user',
    risk,
    ...(expires === undefined ? {} : { expires }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (prefix === undefined) {
    if (roots.some((root) => /[*?]/.test(root)))
      return refused('It touches names with * or ? in them, which no pattern can tell apart.');
    const paths = roots.flatMap((root) => (root === '/' ? ['/**'] : [root, `${root}/**`]));
    return finished({ ...made, command: textOf(action), ...(paths.length > 0 ? { paths } : {}) });
  }
  const words = isShell(action) ? literalWords(textOf(action)) : null;
  if (!words)
    return refused('It is more than one program with plain words: only the exact text can be allowed.');
  if (isOpaque(words[0] ?? ''))
    return refused(`What ${words[0]} does is in the words behind: only the exact text can be allowed.`);
  if (!verdict.reversible) return refused('It cannot be undone: only the exact text can be allowed.');
  if (prefix < 2 || prefix > words.length) return refused(`Give two words or more, at most ${words.length}.`);
  return finished({ ...made, prefix: words.slice(0, prefix) });
}

const refused = (why: string): Narrowed => ({ ok: false, why });
const finished = (rule: Omit<PolicyRule, 'id'>): Narrowed => {
  const { origin: _, ...written } = rule;
  return { ok: true, rule: { ...rule, id: ruleId(written) } };
};

/** Paths that no other of them holds; as written where they were not resolved. */
function rootsOf(paths: readonly string[]): string[] {
  const all = new Set(paths.filter((path) => path.startsWith('/')));
  return [...all].filter((path) => {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      if (all.has(path.slice(0, slash))) return false;
    return path === '/' || !all.has('/');
  });
}
