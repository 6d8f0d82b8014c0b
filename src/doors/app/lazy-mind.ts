import type { Mind } from '../../core/run/index.ts';

/** A mind that is loaded when it is first needed: most runs need none. */
export function lazyMind(load: () => Promise<Mind>): Mind {
  let loading: Promise<Mind> | null = null;
  const mind = (): Promise<Mind> => {
    loading ??= load();
    return loading;
  };
  return {
    consult: async (work, calls) => (await mind()).consult(work, calls),
    summarise: async (context, oldest, calls) =>
      (await (await mind()).summarise?.(context, oldest, calls)) ?? null,
    learn: async (correction, outcome, signal) => (await mind()).learn(correction, outcome, signal),
  };
}
