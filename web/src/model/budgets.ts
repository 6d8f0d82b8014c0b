import type { RunState } from '@contract';
import type { Chronicle } from './chronicle.ts';

export interface Meter {
  name: string;
  text: string;
  /** Of 1. */
  used: number;
  tight: boolean;
}

/** What of the run's limits is used. Money and time are shown where there is something to show. */
export function budgetsOf(state: RunState, chronicle: Chronicle): Meter[] {
  const limits = state.options?.limits;
  if (limits === undefined) return [];
  const meters: Meter[] = [];
  const meter = (name: string, used: number, most: number, text = `${used} / ${most}`) => {
    const share = most <= 0 ? 1 : Math.min(1, used / most);
    meters.push({ name, text, used: share, tight: share >= 0.7 });
  };
  const added = state.plan?.steps.filter(({ repairs }) => repairs !== undefined).length ?? 0;
  const corrections = chronicle.mends.filter(({ byPerson }) => !byPerson).length;
  if (state.options?.mode === 'agentic' || corrections > 0) {
    meter('corrections', corrections, limits.corrections);
    meter('added steps', added, limits.addedSteps);
  }
  const { usd, tokens } = spendingOf(state);
  if (usd !== null && (usd > 0 || state.options?.mode === 'agentic'))
    meter('spent', usd, limits.money, `$${usd.toFixed(2)} / ${limits.money.toFixed(2)}`);
  else if (tokens > 0) meter('tokens', tokens, limits.tokens, `${short(tokens)} / ${short(limits.tokens)}`);
  return meters;
}

/** What models have cost so far; `usd` is null where no price is known. */
export function spendingOf(state: RunState): { usd: number | null; tokens: number } {
  const spending = (state as { spending?: { usd?: number | null; tokens?: number } }).spending;
  return { usd: spending?.usd === undefined ? 0 : spending.usd, tokens: spending?.tokens ?? 0 };
}

const short = (n: number) => (n < 10_000 ? String(n) : `${Math.round(n / 1000)}k`);
