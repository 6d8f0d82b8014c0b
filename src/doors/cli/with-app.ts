import { type App, openApp } from '../app/app.ts';
import { noteAbove } from './ask.ts';
import type { Given } from './command.ts';
import type { Context } from './context.ts';

/** Opens the app in the folder that the person named, does the work, and closes it whatever happens. */
export async function withApp<T>(context: Context, given: Given, work: (app: App) => Promise<T>): Promise<T> {
  const workspace = given.text('workspace');
  const app = await openApp({
    env: context.env,
    cwd: context.cwd,
    ...(workspace === undefined ? {} : { workspace }),
    rulesFile: given.text('rules'),
    announce: (sentence) => noteAbove(context, sentence),
    ...(given.flag('no-model') ? { flags: { 'models.explain': false } } : {}),
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
