import { livingSince, pidSpace } from '../process/identity.ts';

/** What the operating system knows about processes. Never throws. */
export interface Liveness {
  /** Names the world in which pids are unique: two containers of one machine are two. */
  space: string;
  /** Tells a process from a later one with the same pid; null where no such process lives. */
  startTime(pid: number): string | null;
}

export const systemLiveness = (): Liveness => ({ space: pidSpace(), startTime: livingSince });
