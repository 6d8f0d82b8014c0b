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

/** How long ago, roughly, as a person says it; the date where that is more than a month. */
export function ago(then: number, now: number): string {
  const past = now - then;
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  if (past < 2 * DAY) return 'yesterday';
  if (past < 31 * DAY) return `${Math.floor(past / DAY)} days ago`;
  return dateOf(then);
}

const dateOf = (at: number): string => {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** A moment to the minute, in the reader's time zone. */
export const moment = (at: number): string => {
  const date = new Date(at);
  return `${dateOf(at)} ${two(date.getHours())}:${two(date.getMinutes())}`;
};
