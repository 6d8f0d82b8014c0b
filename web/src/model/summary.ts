import { committed, dollars, type RunState } from '@contract';
import { activeTime, count, numberOf, tally } from '@told';
import type { Chronicle } from './chronicle.ts';
import { tookOf } from './items.ts';

export interface SlowStep {
  id: string;
  number: number | null;
  title: string;
  ms: number;
}

/** What a run that has ended came to, beyond its sentence. */
export interface Summary {
  /** `3 done, 1 skipped`. */
  steps: string;
  /** How long it worked, and from its beginning to its end. */
  workedMs: number;
  tookMs: number;
  /** Empty where no model was asked. */
  cost: string;
  /** Corrections that worked, and how many there were. */
  mended: number;
  corrections: number;
  failed: readonly string[];
  slowest: readonly SlowStep[];
  services: readonly string[];
}

const most = 5;
/** A list of times says something where there are a few, and where they are long enough to be felt. */
const felt = 100;

export function summaryOf(run: RunState, chronicle: Chronicle): Summary {
  const { steps, plan, corrections, services, createdAt, endedAt, updatedAt, spending } = run;
  const { done, failed, skipped, open } = tally(run);
  const parts: [number, string][] = [
    [done, 'done'],
    [failed, 'failed'],
    [skipped, 'skipped'],
    [open, 'not run'],
  ];
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  const { usd, unpricedTokens } = committed(spending);
  const slowest = steps
    .map((step, at) => ({
      id: step.id,
      number: numberOf(plan, step.id),
      title: plan?.steps[at]?.title ?? step.id,
      ms: tookOf(step, chronicle.attempts(step.id)) ?? 0,
    }))
    .filter(({ ms }) => ms >= felt)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, most);
  const end = endedAt ?? updatedAt;
  return {
    steps: told.join(', '),
    workedMs: activeTime(run, end),
    tookMs: end - createdAt,
    cost: [
      ...(usd > 0 ? [dollars(usd)] : []),
      ...(unpricedTokens > 0 ? [`${count(unpricedTokens, 'token')} without a known price`] : []),
    ].join(', '),
    mended: corrections.filter(({ status }) => status === 'succeeded').length,
    corrections: corrections.length,
    failed: steps.filter(({ status }) => status === 'failed').map(({ id }) => id),
    slowest: steps.length > 1 ? slowest : [],
    services: services.filter(({ status }) => status === 'running').map(({ name }) => name),
  };
}
