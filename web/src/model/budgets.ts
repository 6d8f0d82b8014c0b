import { allowedCorrections, committed, dollars, type RunState, usedCorrections } from '@contract';

export interface Meter {
  name: string;
  text: string;
  /** Of 1. */
  used: number;
  tight: boolean;
}

/** What of the run's limits is used. Money and time are shown where there is something to show. */
export function budgetsOf(state: RunState): Meter[] {
  const limits = state.options?.limits;
  if (limits === undefined) return [];
  const meters: Meter[] = [];
  const meter = (name: string, used: number, most: number, text = `${used} / ${most}`) => {
    const share = most <= 0 ? 1 : Math.min(1, used / most);
    meters.push({ name, text, used: share, tight: share >= 0.7 });
  };
  const corrections = usedCorrections(state);
  const agentic = state.options?.mode === 'agentic';
  if (agentic || state.corrections.length > 0) {
    meter('corrections', corrections, allowedCorrections(state, limits));
    meter('added steps', state.addedSteps, limits.addedSteps);
  }
  const { usd, unpricedTokens } = committed(state.spending);
  if (agentic || usd > 0) meter('spent', usd, limits.money, `${dollars(usd)} / ${dollars(limits.money)}`);
  if (unpricedTokens > 0)
    meter('tokens', unpricedTokens, limits.tokens, `${short(unpricedTokens)} / ${short(limits.tokens)}`);
  return meters;
}

export const short = (n: number) => (n < 10_000 ? String(n) : `${Math.round(n / 1000)}k`);
