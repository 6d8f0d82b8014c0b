import type { GuardAnswer } from '../contract/guard/index.ts';
import { type RiskLevel, riskLevels, type Verdict } from '../contract/index.ts';

/** What is answered to a verdict. Safe and caution are never allowed by force: the agent's own rules go on deciding. */
export function answerTo(level: RiskLevel, canAsk: boolean): GuardAnswer {
  if (level === 'blocked') return 'deny';
  if (level === 'dangerous') return canAsk ? 'ask' : 'deny';
  return 'none';
}

/** The worst of the sentences, each once. */
const TOLD = 3;

/** Why, and what can be done: for the agent and for the person whom it asks. `id` names the call in the journal. */
export function reasonFor(answer: GuardAnswer, verdict: Verdict, id: string): string {
  if (answer === 'none') return '';
  const rank = (level: RiskLevel): number => riskLevels.indexOf(level);
  const worst = [...verdict.reasons].sort((a, b) => rank(b.level) - rank(a.level));
  const said = [...new Set(worst.map(({ sentence }) => sentence))].slice(0, TOLD).join(' ');
  if (answer === 'ask') return `Planwright: ${verdict.level}. ${said}`;
  const next =
    verdict.level === 'blocked'
      ? 'Nobody can allow this. Do it in another way, or ask the person to do it themselves.'
      : `Do it in another way that keeps to the folder and can be undone, or ask the person, who can allow exactly this with: planwright guard allow ${id}`;
  return `Planwright: ${verdict.level}. ${said} ${next}`;
}

/** Said where the folder was to be kept before a call, and could not be. */
export const unkeptReason = (answer: GuardAnswer, why: string): string =>
  answer === 'deny'
    ? `Planwright: the folder must be kept before a call like this, and could not be: ${why} Ask the person to look at it.`
    : `Planwright: the folder could not be kept before this call, so undo does not take it back: ${why}`;
