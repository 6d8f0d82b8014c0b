/** One measurement. Every exported function of bench/<what>/*.ts whose name begins with `bench` resolves with some. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  /** For a unit a second (`…/s`) the least that is wanted, for any other unit the most. */
  target?: number;
  note?: string;
}

export const wantsMore = ({ unit }: Row): boolean => unit.endsWith('/s');

/** Null where there is no target. */
export function isMet(row: Row): boolean | null {
  if (row.target === undefined) return null;
  return wantsMore(row) ? row.value >= row.target : row.value <= row.target;
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
