import { expect, it } from 'vitest';
import { scheduleTime } from './schedules.ts';

it('a time is told by the clock that the schedule goes by', () => {
  const at = Date.UTC(2026, 10, 17, 2);
  expect(scheduleTime({ tz: 'Europe/Berlin' }, at)).toBe('2026-11-17 03:00');
  expect(scheduleTime({ tz: 'America/New_York' }, at)).toBe('2026-11-16 21:00');
});
