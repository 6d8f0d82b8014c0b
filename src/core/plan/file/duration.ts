const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const MAX_MS = 7 * 24 * 3_600_000;

/** Milliseconds of `30s`, `5m`, `1h30m`, `500ms`, or of a number of seconds; null for anything else. */
export function parseDuration(value: string | number): number | null {
  let total = 0;
  if (typeof value === 'number') {
    total = value * 1_000;
  } else {
    const text = value.trim().replaceAll(' ', '');
    if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text)) return null;
    for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|s|m|h)/g))
      total += Number(amount) * UNITS[unit!]!;
  }
  const rounded = Math.round(total);
  return rounded >= 1 && rounded <= MAX_MS ? rounded : null;
}

/** The shortest text that `parseDuration` reads back as these milliseconds. */
export function printDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'] as const) {
    const size = UNITS[unit]!;
    if (ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}
