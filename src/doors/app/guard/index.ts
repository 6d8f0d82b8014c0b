export { drivableGuards } from './drive.ts';
export { createGuards, type GuardedSessions } from './guards.ts';
