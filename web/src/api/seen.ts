/** How long a page may be out of sight before it lets go of its stream. */
const patienceMs = 60_000;

/**
 * Browsers allow six connections to a server over all pages: one that nobody looks at gives its own back after a
 * while. Aborts then, or when the given signal does.
 */
export function whileSeen(signal: AbortSignal): AbortSignal {
  const away = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, patienceMs);
  };
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    away.abort();
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', end, { once: true });
  look();
  return away.signal;
}

/** Resolves when somebody looks at the page, at once where somebody does. */
export const seen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
