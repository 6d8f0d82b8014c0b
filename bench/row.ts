/** One measurement. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  /** A number is the most that is wanted, or the least of what is counted a second (`…/s`); `'>= 90'` says so itself. */
  target?: number | string | null;
  note?: string;
}

const comparisons: Record<string, (value: number, target: number) => boolean> = {
  '<': (value, target) => value < target,
  '<=': (value, target) => value <= target,
  '>': (value, target) => value > target,
  '>=': (value, target) => value >= target,
};

/** The target as text, and whether it is met; null where there is none. */
export function judge({ value, unit, target }: Row): { target: string; isMet: boolean } | null {
  if (target === undefined || target === null) return null;
  const text = typeof target === 'number' ? `${unit.endsWith('/s') ? '>=' : '<='} ${target}` : target;
  const [, sign = '', number = ''] = /^([<>]=?) *([\d.]+)/.exec(text) ?? [];
  const compare = comparisons[sign];
  if (compare === undefined)
    throw new Error(`a target reads like ">= 90", not like ${JSON.stringify(target)}`);
  return { target: text, isMet: compare(value, Number(number)) };
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
