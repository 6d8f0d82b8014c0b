/**
 * Until what it returns is called, the key that interrupts does nothing to this process: it is meant for the child that
 * has the terminal. Listeners are taken off and put back, for a handler that only does nothing would not silence them.
 */
export function ignoreInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
