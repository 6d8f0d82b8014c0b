import { type Action, type RiskReason, shellText, type Verdict } from '../../contract/index.ts';
import { atLeast } from '../verdict.ts';
import { covers, isLive, type PolicyContext, speaksOf } from './match.ts';
import type { PolicyRule } from './rule.ts';

export interface Applied {
  verdict: Verdict;
  /** The rule that decided. */
  rule?: PolicyRule;
  /** An allow rule that would have, had a person trusted the folder that it comes from. */
  ignored?: PolicyRule;
}

/**
 * What people's rules make of a verdict: deny first, then ask, then allow. Deny makes it blocked, ask at least
 * dangerous, and allow makes caution of dangerous, of nothing else: what is blocked stays blocked. Pure, never throws.
 */
export function applyPolicy(
  rules: readonly PolicyRule[],
  action: Action,
  verdict: Verdict,
  context: PolicyContext,
): Applied {
  const live = rules.filter((rule) => isLive(rule, context.now));
  const of = (effect: PolicyRule['effect']): PolicyRule[] => live.filter((rule) => rule.effect === effect);

  const denied = of('deny').find((rule) => speaksOf(rule, action, verdict, context));
  if (denied) return { verdict: raised(verdict, 'blocked', denied, 'forbids it'), rule: denied };
  if (verdict.level === 'blocked') return { verdict };
  const asked = of('ask').find((rule) => speaksOf(rule, action, verdict, context));
  if (asked) {
    const now = raised(verdict, 'dangerous', asked, 'wants it asked');
    const isFollowed = verdict.level === 'dangerous' || shellText(action) === null;
    return { verdict: isFollowed ? now : { ...now, unknownPaths: notLookedFor }, rule: asked };
  }
  if (verdict.level !== 'dangerous') return { verdict };

  const allowing = of('allow').filter((rule) => covers(rule, action, verdict, context));
  const allowed = allowing.find((rule) => context.trusted || isPersons(rule));
  const [ignored] = allowing;
  if (!allowed) return ignored ? { verdict, ignored } : { verdict };
  const reason = reasonOf(allowed, 'caution', 'allows it');
  return { verdict: { ...verdict, level: 'caution', reasons: [reason, ...verdict.reasons] }, rule: allowed };
}

/**
 * What a model calls in the middle of a conversation nobody has seen, and whatever it has read may stand in what it says to
 * others: to reach anybody over the network is asked about, unless a rule of a person allows these words. `verdict` is what
 * the rules left; `judged` what it was before them.
 */
export function askUnseenNetwork(
  rules: readonly PolicyRule[],
  action: Action,
  { verdict, judged }: { verdict: Verdict; judged: Verdict },
  context: PolicyContext,
): Verdict {
  if (atLeast(verdict.level, 'dangerous') || !verdict.needs.includes('network')) return verdict;
  const asDangerous = applyPolicy(rules, action, { ...judged, level: 'dangerous' }, context);
  if (asDangerous.rule?.effect === 'allow') return verdict;
  const reason: RiskReason = {
    rule: 'unseen-network',
    level: 'dangerous',
    sentence: 'It reaches others over the network, and nobody has seen what it says there.',
  };
  return {
    ...verdict,
    level: 'dangerous',
    reasons: [reason, ...verdict.reasons],
    ...(verdict.level === 'safe' ? {} : { unknownPaths: verdict.unknownPaths ?? notLookedFor }),
  };
}

/** Only what is dangerous by itself is followed to all that it touches. */
const notLookedFor = 'Which other files it touches, if any, was not looked for.';

/** Written by the person, not found in a folder that anybody may have filled. */
const isPersons = (rule: PolicyRule): boolean => rule.origin === 'user' || rule.origin === 'flags';

function raised(verdict: Verdict, level: 'dangerous' | 'blocked', rule: PolicyRule, does: string): Verdict {
  return {
    ...verdict,
    level: atLeast(verdict.level, level) ? verdict.level : level,
    reasons: [reasonOf(rule, level, does), ...verdict.reasons],
  };
}

const reasonOf = (rule: PolicyRule, level: RiskReason['level'], does: string): RiskReason => ({
  rule: `policy-${rule.effect}`,
  level,
  sentence: `The rule ${rule.id} ${does}${rule.reason === undefined ? '.' : `: ${rule.reason}`}`,
});
