import { ApiError, type Connection } from '@contract';
import { create } from 'zustand';

/** Whether the server answers, and whether this page has seen it answer at all. `locked`: it answers, and not to us. */
export const useServer = create<{ connection: Connection | 'connecting' | 'locked' }>(() => ({
  connection: 'connecting',
}));

const isLockedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Notes that this page has no key, where that is what an error says; answers whether it is. */
export function noteLock(error: unknown): boolean {
  if (!isLockedOut(error)) return false;
  useServer.setState({ connection: 'locked' });
  return true;
}
