import { expect, test } from 'vitest';
import type { App } from '../app/app.ts';
import { answerTo } from './request.ts';

test('a run that cannot be driven is told to whoever asked, and nothing is left unheard', async () => {
  const runs = {
    drive: () => Promise.reject(new Error('rules.yaml cannot be read')),
    async *watch(_id: string, _after: number, signal: AbortSignal) {
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      yield* [];
    },
  };
  await expect(answerTo({ runs } as unknown as App, 'r', 1)).rejects.toThrow('rules.yaml cannot be read');
});
