import { findPlaces } from '../app/places.ts';
import type { Context } from './context.ts';

/**
 * For commands that change what Planwright obeys. Throws an AppError where a run started this process, after that has
 * been written into the journal of the run.
 */
export async function mustDecide(context: Context, asked: string): Promise<void> {
  const { ownerAt, startedHere } = await import('../app/asker.ts');
  const from = startedHere(findPlaces(context.env).data);
  if (from === null) return;
  const { openApp } = await import('../app/app.ts');
  const app = await openApp({ env: context.env, cwd: context.cwd });
  try {
    await app.streams.admit(ownerAt('terminal'), 'decide', asked);
  } finally {
    await app.close();
  }
}
