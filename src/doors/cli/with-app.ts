import { type App, type AppOptions, openApp } from '../app/app.ts';
import { noteAbove } from './ask.ts';
import { type Given, wholeNumber } from './command.ts';
import type { Context } from './context.ts';

/** Opens the app in the folder that the person named, does the work, and closes it whatever happens. */
export async function withApp<T>(
  context: Context,
  given: Given,
  work: (app: App) => Promise<T>,
  more: Pick<AppOptions, 'around'> = {},
): Promise<T> {
  const workspace = given.text('workspace');
  const concurrency = wholeNumber(given, 'concurrency');
  const app = await openApp({
    ...more,
    env: context.env,
    cwd: context.cwd,
    ...(workspace === undefined ? {} : { workspace }),
    rulesFile: given.text('rules'),
    announce: (sentence) => noteAbove(context, sentence),
    leavesDriving: given.flag('detach'),
    flags: {
      ...(given.flag('no-model') ? { 'models.explain': false } : {}),
      ...(concurrency === undefined ? {} : { concurrency }),
    },
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
