import type { RiskLevel, RiskReason, Verdict } from '../contract/index.ts';
import type { Need, RuleInfo, Span } from './types.ts';

const order: readonly RiskLevel[] = ['safe', 'caution', 'dangerous', 'blocked'];
const rank: Record<RiskLevel, number> = { safe: 0, caution: 1, dangerous: 2, blocked: 3 };

export const atLeast = (level: RiskLevel, least: RiskLevel): boolean => rank[level] >= rank[least];

const worseLevel = (a: RiskLevel, b: RiskLevel): RiskLevel => order[Math.max(rank[a], rank[b])] ?? 'blocked';

/** The verdict on two things done together. Its level is the worse one's; it never loses a reason. */
export function worse(a: Verdict, b: Verdict): Verdict {
  const unknownPaths = [...new Set([a.unknownPaths, b.unknownPaths])].filter((why) => why !== undefined);
  return {
    level: worseLevel(a.level, b.level),
    reasons: sortReasons([...a.reasons, ...b.reasons]),
    reversible: a.reversible && b.reversible,
    needs: [...new Set([...a.needs, ...b.needs])],
    ...fetching(a.fetches, b.fetches),
    paths: [...new Set([...a.paths, ...b.paths])],
    ...(unknownPaths.length === 0 ? {} : { unknownPaths: unknownPaths.join(' ') }),
  };
}

/** What is named is surely asked for. */
const fetching = (...found: Verdict['fetches'][]): Pick<Verdict, 'fetches'> => {
  const fetches = found.includes('named') ? 'named' : found.find((one) => one !== undefined);
  return fetches === undefined ? {} : { fetches };
};

/** Worst first; the same rule on the same span once. */
function sortReasons(reasons: readonly RiskReason[]): RiskReason[] {
  const seen = new Set<string>();
  const kept = reasons.filter((reason) => {
    const key = `${reason.rule}@${reason.span?.join('-') ?? ''}`;
    return seen.has(key) ? false : seen.add(key);
  });
  return kept.sort((a, b) => rank[b.level] - rank[a.level]);
}

/** Gathers what the judging finds; `verdict()` sums it up. */
export interface Findings {
  add(rule: RuleInfo, span?: Span): void;
  need(need: Need): void;
  fetch(what: NonNullable<Verdict['fetches']>): void;
  path(path: string): void;
  level(): RiskLevel;
  verdict(): Verdict;
}

/** At most this many reasons are kept for one rule: a thousand `rm` need not be a thousand sentences. */
const perRule = 20;

export function createFindings(): Findings {
  const reasons: RiskReason[] = [];
  const needs = new Set<Need>();
  const paths = new Set<string>();
  const counts = new Map<string, number>();
  let level: RiskLevel = 'safe';
  let reversible = true;
  let fetches: Verdict['fetches'];
  return {
    add(rule, span) {
      const count = (counts.get(rule.id) ?? 0) + 1;
      counts.set(rule.id, count);
      level = worseLevel(level, rule.level);
      if (rule.level !== 'caution' && rule.reversible !== true) reversible = false;
      for (const need of rule.needs ?? []) needs.add(need);
      if (count > perRule) return;
      const { id, level: own, sentence } = rule;
      reasons.push(
        span
          ? { rule: id, level: own, sentence, span: [span[0], span[1]] }
          : { rule: id, level: own, sentence },
      );
    },
    need: (need) => void needs.add(need),
    fetch(what) {
      ({ fetches } = fetching(fetches, what));
    },
    path: (path) => void (paths.size < 200 && paths.add(path)),
    level: () => level,
    verdict: () => ({
      level,
      reasons: sortReasons(reasons),
      reversible,
      needs: [...needs],
      ...fetching(fetches),
      paths: [...paths],
    }),
  };
}
