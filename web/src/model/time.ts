import { duration } from '@told';

/** `02:14`, `1:02:14`. */
export function stopwatch(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const tail = `${pad(Math.floor((s % 3600) / 60))}:${pad(s % 60)}`;
  return s < 3600 ? tail : `${Math.floor(s / 3600)}:${tail}`;
}

/** Under a minute the seconds count: `0.7 s`, then `02:14`. */
export const workedWords = (ms: number): string => (ms < 60_000 ? duration(ms) : stopwatch(ms));

export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en', {
    hour12: false,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(1)} kB`;
  return `${(n / 1_000_000).toFixed(1)} MB`;
}

const pad = (n: number) => String(n).padStart(2, '0');
