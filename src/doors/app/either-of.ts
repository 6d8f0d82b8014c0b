/** One that is asked at every step whether it is aborted: `AbortSignal.any` asks those that it is made of each time. */
export function eitherOf(...signals: readonly AbortSignal[]): { signal: AbortSignal; close(): void } {
  const either = new AbortController();
  const abort = ({ target }: Event): void => either.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener('abort', abort);
  }
  const close = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  return { signal: either.signal, close };
}
