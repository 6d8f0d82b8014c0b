export { createScheduleMachine } from './machine.ts';
export { LATE_MS } from './next.ts';
export type { BeginRun, Held, SchedulePorts } from './ports.ts';
