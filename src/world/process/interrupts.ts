/** A signal that the terminal has sent is there within this, on a busy machine too. */
const ON_ITS_WAY_MS = 2000;

/**
 * Until what it returns is called, the key that interrupts does nothing to this process: it is meant for the child that
 * has the terminal. Listeners are taken off and put back, for a handler that only does nothing would not silence them.
 *
 * The key reaches both, and the child's end may be known here before the key is. `wasInterrupted`: the child was ended
 * by it, so one that has not been heard yet is still waited for, lest it be taken for a second press.
 */
export function ignoreInterrupts(): (wasInterrupted: boolean) => Promise<void> {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  const heard = Promise.withResolvers<void>();
  const ignore = (): void => heard.resolve();
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  return async (wasInterrupted) => {
    if (wasInterrupted) {
      const timer = setTimeout(heard.resolve, ON_ITS_WAY_MS);
      await heard.promise;
      clearTimeout(timer);
    }
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
