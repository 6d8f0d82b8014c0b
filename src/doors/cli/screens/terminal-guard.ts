/** As much of `process` as it takes to leave a terminal as it was found. */
export interface SignalSource {
  pid: number;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

const deadly = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `restore` before the process ends or is stopped, and `redraw` when it is continued. A signal that
 * somebody else handles is left to them; one that nobody handles still ends the process as it would have.
 * Returns what takes all of this back.
 */
export function guardTerminal(source: SignalSource, restore: () => void, redraw: () => void): () => void {
  const listeners: [string, () => void][] = [];
  const on = (event: string, listener: () => void) => {
    source.on(event, listener);
    listeners.push([event, listener]);
  };
  const release = () => {
    for (const [event, listener] of listeners.splice(0)) source.off(event, listener);
  };
  on('exit', restore);
  for (const signal of deadly) {
    on(signal, () => {
      if (source.listenerCount(signal) > 1) return;
      restore();
      release();
      source.kill(source.pid, signal);
    });
  }
  on('SIGTSTP', () => {
    if (source.listenerCount('SIGTSTP') > 1) return;
    restore();
    source.kill(source.pid, 'SIGSTOP');
  });
  on('SIGCONT', redraw);
  return release;
}
