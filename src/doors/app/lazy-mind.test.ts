import { expect, test } from 'vitest';
import { freshContext } from '../../core/contract/run/context-state.ts';
import type { Mind } from '../../core/run/index.ts';
import { lazyMind } from './lazy-mind.ts';

test('a mind that is loaded late does all that it would do at once', async () => {
  let loaded = 0;
  const mind = lazyMind(async () => {
    loaded += 1;
    return {
      consult: async () => ({ correction: null, message: 'asked' }),
      learn: async () => undefined,
      summarise: async () => 'all went well',
    } satisfies Mind;
  });
  expect(loaded).toBe(0);
  const calls = { signal: new AbortController().signal, ledger: {} as never };
  expect(await mind.summarise?.(freshContext, [], calls)).toBe('all went well');
  expect(await mind.consult({} as never, calls)).toMatchObject({ message: 'asked' });
  expect(loaded).toBe(1);
});
