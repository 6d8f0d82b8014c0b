const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (n: number) => String(n).padStart(2, '0');

/** The widest that `duration` gets, for columns of it. */
export const durationWidth = 7;

/** A length of time in at most seven columns: `0.4 s`, `12.0 s`, `3m 07s`, `2h 05m`, `4d 01h`. */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE - 50) return `${(length / SECOND).toFixed(1)} s`;
  const whole = Math.max(length, MINUTE);
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m ${two(Math.floor(whole / SECOND) % 60)}s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)}h ${two(Math.floor(whole / MINUTE) % 60)}m`;
  return `${Math.floor(whole / DAY)}d ${two(Math.floor(whole / HOUR) % 24)}h`;
}

/** How long ago, roughly, as a person says it. */
export function ago(then: number, now: number): string {
  const past = now - then;
  const days = Math.floor(past / DAY);
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (days < 1) return `${Math.floor(past / HOUR)} h ago`;
  if (days < 2) return 'yesterday';
  if (days < 61) return `${days} days ago`;
  return days < 731 ? `${Math.floor(days / 30.44)} months ago` : `${Math.floor(days / 365.25)} years ago`;
}
