import { describe, expect, it } from 'vitest';
import { createCalendar, readTimes } from './calendar.ts';

const calendar = createCalendar();
const at = (iso: string) => Date.parse(iso);
/** The next times after a moment, without the date where it is that of the moment. */
const times = (cron: string, tz: string, after: string, count: number): string[] => {
  const found: string[] = [];
  for (let last = at(after); found.length < count; ) {
    const next = calendar.next({ cron, tz }, last);
    if (next === null) return [...found, 'never'];
    found.push(new Date(next).toISOString().slice(0, 16).replace('T', ' '));
    last = next;
  }
  return found;
};

describe('times go by the clock of their zone', () => {
  it('is at the named hour before and after the clocks change', () => {
    expect(times('0 3 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', 3)).toEqual([
      '2026-03-28 02:00',
      '2026-03-29 01:00',
      '2026-03-30 01:00',
    ]);
    expect(times('0 3 * * *', 'America/New_York', '2026-10-31T00:00Z', 2)).toEqual([
      '2026-10-31 07:00',
      '2026-11-01 08:00',
    ]);
  });

  it('is not left out where the clock jumps over it, and is once that day', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00Z', 2)).toEqual([
      '2026-03-29 01:30',
      '2026-03-30 00:30',
    ]);
  });

  it('is once where the clock shows it twice', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25 00:30',
      '2026-10-26 01:30',
    ]);
  });

  it('of every hour leaves no hour out and takes none twice, whatever the clock does', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T22:30Z', 5)).toEqual([
      '2026-10-24 23:00',
      '2026-10-25 00:00',
      '2026-10-25 01:00',
      '2026-10-25 02:00',
      '2026-10-25 03:00',
    ]);
    expect(times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 4)).toEqual([
      '2026-03-29 00:30',
      '2026-03-29 01:00',
      '2026-03-29 01:30',
      '2026-03-29 02:00',
    ]);
    expect(times('15 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:00Z', 3)).toEqual([
      '2026-04-04 14:15',
      '2026-04-04 15:45',
      '2026-04-04 16:45',
    ]);
  });
});

describe('what passed while nobody was there', () => {
  it('is the last of it, and how many there were', () => {
    const daily = { cron: '0 3 * * *', tz: 'UTC' };
    const passed = calendar.passed(daily, at('2026-05-01T03:00Z'), at('2026-05-04T12:00Z'));
    expect(passed).toEqual({ latest: at('2026-05-04T03:00Z'), count: 4 });
    const due = at('2026-05-01T03:00Z');
    expect(calendar.passed(daily, due, due)).toEqual({ latest: due, count: 1 });
  });

  it('is found though it was very much', () => {
    const each = { cron: '* * * * *', tz: 'Europe/Berlin' };
    const { latest, count } = calendar.passed(each, at('2026-01-01T00:00Z'), at('2026-05-04T12:00:30Z'));
    expect([latest, count]).toEqual([at('2026-05-04T12:00Z'), 100]);
    const rare = { cron: '0 0 1 1 *', tz: 'UTC' };
    expect(calendar.passed(rare, at('1800-01-01T00:00Z'), at('2026-05-04T12:00Z')).latest).toBe(
      at('2026-01-01T00:00Z'),
    );
  });
});

it('says what cannot be read, and has no times of it', () => {
  expect(readTimes({ cron: '0 3 * * *', tz: 'UTC' })).toBeNull();
  expect(readTimes({ cron: '0 3 * *', tz: 'UTC' })).toContain('says no times');
  expect(readTimes({ cron: '61 * * * *', tz: 'UTC' })).toContain('minute: 61');
  expect(readTimes({ cron: '* * * * * *', tz: 'UTC' })).toContain('5 parts');
  expect(readTimes({ cron: '0 3 * * *', tz: 'Mars/North' })).toContain('no time zone');
  expect(readTimes({ cron: '0 0 30 2 *', tz: 'UTC' })).toBe('it has no time to come');
  expect(calendar.next({ cron: 'x', tz: 'UTC' }, 0)).toBeNull();
  expect(calendar.next({ cron: '0 0 30 2 *', tz: 'UTC' }, 0)).toBeNull();
});
