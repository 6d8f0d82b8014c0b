import { Cron } from 'croner';

/** When something is to happen, as a person writes it: five parts, and the zone that they are of. */
interface Times {
  cron: string;
  tz: string;
}

interface Passed {
  latest: number;
  count: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How far to look back for the last of many times: each covers a few of the one before. */
const spans = [MINUTE, 10 * MINUTE, 2 * 60 * MINUTE, DAY, 8 * DAY, 62 * DAY, 366 * DAY];
const MOST_COUNTED = 100;

/** What is the matter with it, for people; null where nothing is. */
export function readTimes({ cron, tz }: Times): string | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: tz });
  } catch {
    return `there is no time zone ${JSON.stringify(tz)}: name one such as Europe/Berlin or UTC`;
  }
  try {
    return new Cron(cron, options({ timezone: tz })).nextRun() === null ? 'it has no time to come' : null;
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/^Cron\w+: /, '');
    return `${JSON.stringify(cron)} says no times: ${why}`;
  }
}

/**
 * The times of schedules, by their zone's own clock:
 *
 *                     a clock goes forward                     a clock goes back
 *   an hour is named  `30 2` of a day without it: an hour       once, the first time
 *                     later by the clock (3:30)
 *   every hour        no time is left out or moved: they go by what has passed, not by what the clock shows
 *
 * Never throws: what cannot be read has no times.
 */
export function createCalendar(): {
  next(times: Times, after: number): number | null;
  passed(times: Times, from: number, now: number): Passed;
} {
  const next = (times: Times, after: number): number | null => {
    try {
      return isHourly(times.cron)
        ? nextByOffset(times, after)
        : nextRun(times, { timezone: times.tz }, after);
    } catch {
      return null;
    }
  };
  /** Up to `most` of them from the first after `after` on, none after `now`. */
  const upTo = (times: Times, after: number, now: number, most: number): number[] => {
    const found: number[] = [];
    for (let at = next(times, after); at !== null && at <= now && found.length < most; at = next(times, at))
      found.push(at);
    return found;
  };
  return {
    next,
    passed(times, from, now) {
      const counted = upTo(times, from - 1, now, MOST_COUNTED);
      if (counted.length < MOST_COUNTED)
        return { latest: counted.at(-1) ?? from, count: Math.max(1, counted.length) };
      for (const span of spans) {
        const latest = upTo(times, Math.max(from - 1, now - span), now, MOST_COUNTED).at(-1);
        if (latest !== undefined) return { latest, count: MOST_COUNTED };
      }
      return { latest: counted.at(-1)!, count: MOST_COUNTED };
    },
  };
}

const options = (where: { timezone: string } | { utcOffset: number }) =>
  ({ mode: '5-part', paused: true, ...where }) as const;

const nextRun = (
  { cron }: Times,
  where: { timezone: string } | { utcOffset: number },
  after: number,
): number | null => new Cron(cron, options(where)).nextRun(new Date(after))?.getTime() ?? null;

/** Whether it names no hour: then it goes by what has passed. */
const isHourly = (cron: string): boolean => /^\S+\s+\*/.test(cron.trim());

/** As if the zone had one offset, until it has another: then on from the moment at which it changed. */
function nextByOffset(times: Times, after: number): number | null {
  let from = after;
  for (let changes = 0; changes < 4; changes += 1) {
    const utcOffset = offsetAt(times.tz, from);
    const at = nextRun(times, { utcOffset }, from);
    if (at === null || offsetAt(times.tz, at) === utcOffset) return at;
    // The time may be the very moment of the change.
    from = changeBetween(times.tz, from, at) - 1;
    const then = nextRun(times, { utcOffset: offsetAt(times.tz, from + 1) }, from);
    if (then === null || offsetAt(times.tz, then) === offsetAt(times.tz, from + 1)) return then;
    from += 1;
  }
  return nextRun(times, { timezone: times.tz }, after);
}

/** The first moment with the offset that the zone has at `to`, to the minute. */
function changeBetween(tz: string, from: number, to: number): number {
  const last = offsetAt(tz, to);
  let [before, then] = [Math.floor(from / MINUTE), Math.floor(to / MINUTE)];
  while (then - before > 1) {
    const middle = Math.floor((before + then) / 2);
    if (offsetAt(tz, middle * MINUTE) === last) then = middle;
    else before = middle;
  }
  return then * MINUTE;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes that the zone is ahead of UTC. */
function offsetAt(tz: string, at: number): number {
  const format =
    formats.get(tz) ?? new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName: 'longOffset' });
  formats.set(tz, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes = '0'] = /GMT([+-])(\d+)(?::(\d+))?/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
