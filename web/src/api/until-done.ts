import { ApiError } from '@contract';

export const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Waits for a server that is away for a while; what it refuses is thrown. Null where the signal aborted first. */
export async function untilDone<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onAway: (error: Error) => void = () => undefined,
): Promise<T | null> {
  for (let pause = 300; !signal.aborted; pause = Math.min(5000, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
      onAway(asError(error));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}
