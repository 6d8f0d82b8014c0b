import type { RiskLevel, Verdict } from '@contract';

/** How risky a step is. A rule by which it runs unasked counts it as caution, and makes it no less dangerous. */
export const riskOf = ({ level, reasons }: Pick<Verdict, 'level' | 'reasons'>): RiskLevel =>
  level === 'caution' && reasons.some((reason) => reason.level === 'dangerous') ? 'dangerous' : level;
