import type { RunState } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import type { Explainable } from '../app/explain.ts';
import { noteAbove } from './ask.ts';
import type { Context } from './context.ts';
import { lookOf } from './look-of.ts';
import { renderWords } from './render/words.ts';

/**
 * Does `work`, which has been shown all that is certain; when a model has something to add before it is done, that is
 * said above the question. What it says later nobody wants any more.
 */
export async function withWords<T>(
  app: App,
  context: Context,
  { id, state, about }: { id: string; state: RunState; about: Explainable },
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const tell = async () => {
    const words = await app.explain(id, state, about, over.signal);
    if (words.ok && !over.signal.aborted)
      noteAbove(context, renderWords(words, lookOf(context, 'stderr')).join('\n'));
  };
  void tell().catch(() => undefined);
  try {
    return await work();
  } finally {
    over.abort();
  }
}
