export type { ScheduleView } from '../api/schedules.ts';
export * from './facts.ts';
export * from './row.ts';
export * from './state.ts';
