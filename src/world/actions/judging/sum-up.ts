import { createHash } from 'node:crypto';
import { type RiskLevel, type RiskReason, riskLevels, type Verdict } from '../../../core/contract/index.ts';

/** So many reasons of one rule are kept: ten thousand items need not be ten thousand sentences. */
const REASONS_PER_RULE = 3;
/** So many paths are shown of a loop. All of them are bound, by a hash. */
const PATHS_SHOWN = 200;

const rank = (level: RiskLevel): number => riskLevels.indexOf(level);

/** Gathers the verdicts on the items of a loop; the whole is as bad as the worst of them. */
export interface Sum {
  add(verdict: Verdict): void;
  /** Its paths are the first few of all. */
  verdict(): Verdict;
  /** All paths, sorted. */
  paths(): string[];
}

export function sumUp(): Sum {
  const reasons = new Map<string, RiskReason>();
  const perRule = new Map<string, number>();
  const needs = new Set<Verdict['needs'][number]>();
  const paths = new Set<string>();
  let level: RiskLevel = 'safe';
  const unknownPaths = new Set<string>();
  let reversible = true;

  const keep = ({ span: _, ...reason }: RiskReason): void => {
    const key = `${reason.rule}\0${reason.sentence}`;
    const count = perRule.get(reason.rule) ?? 0;
    if (reasons.has(key) || count >= REASONS_PER_RULE) return;
    perRule.set(reason.rule, count + 1);
    // Without the span: it counts from the start of one item's text, and the loop is what is shown.
    reasons.set(key, reason);
  };

  const sorted = (): string[] => [...paths].sort();
  return {
    add(verdict) {
      if (rank(verdict.level) > rank(level)) level = verdict.level;
      reversible &&= verdict.reversible;
      for (const need of verdict.needs) needs.add(need);
      for (const path of verdict.paths) paths.add(path);
      for (const reason of verdict.reasons) keep(reason);
      if (verdict.unknownPaths !== undefined && unknownPaths.size < REASONS_PER_RULE)
        unknownPaths.add(verdict.unknownPaths);
    },
    verdict: () => ({
      level,
      reasons: [...reasons.values()].sort((a, b) => rank(b.level) - rank(a.level)),
      reversible,
      needs: [...needs],
      paths: sorted().slice(0, PATHS_SHOWN),
      ...(unknownPaths.size === 0 ? {} : { unknownPaths: [...unknownPaths].join(' ') }),
    }),
    paths: sorted,
  };
}

/** Names the items, and all the paths where not all of them are shown. */
export function hashLoop(items: readonly string[] | null, paths: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(items));
  if (paths.length > PATHS_SHOWN) hash.update('\0').update(JSON.stringify(paths));
  return hash.digest('hex');
}
