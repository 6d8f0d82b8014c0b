export { createCalendar, readTimes } from './calendar.ts';
