import type { GuardRow, GuardState } from '../../../core/contract/guard/index.ts';
import { keptGuards } from '../../../core/guard/kept.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { type Given, wholeNumber } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderSession } from '../render/guard.ts';
import { withApp } from '../with-app.ts';

/** What agents did, asked and were denied: of one session, or of the latest here. */
export const log = (context: Context, given: Given, [named]: readonly string[]): Promise<ExitCode> =>
  withApp(context, given, async (app) => {
    const shown = await Promise.all((await rowsOf(app, given, named)).map((row) => withoutSecrets(app, row)));
    if (given.flag('json'))
      printJson(
        context,
        shown.map(({ row, state }) => ({ ...row, calls: state.calls })),
      );
    else if (shown.length === 0)
      note(context, 'No agent has been guarded here yet. planwright guard log --all');
    else {
      const look = { ...lookOf(context, 'stdout'), now: Date.now() };
      print(context, shown.map(({ row, state }) => renderSession(row, state, look).join('\n')).join('\n\n'));
    }
    return exitCodes.done;
  });

async function rowsOf(app: App, given: Given, named: string | undefined): Promise<GuardRow[]> {
  if (named !== undefined) return [await app.guards.find(named, app.workspace)];
  const limit = wholeNumber(given, 'limit') ?? 5;
  return app.guards.list({ limit, ...(given.flag('all') ? {} : { workspace: app.workspace }) });
}

async function withoutSecrets(app: App, row: GuardRow): Promise<{ row: GuardRow; state: GuardState }> {
  const state = await app.guards.state(row.id);
  return { row, state: app.redactorFor(state, keptGuards).value(state) };
}

/** Lets exactly what a verdict was about through from now on, in its folder. */
export const allow = (context: Context, given: Given, [verdict]: readonly string[]): Promise<ExitCode> =>
  withApp(context, given, async (app) => {
    if (verdict === undefined)
      throw new AppError('usage', 'planwright guard allow VERDICT: guard log shows them');
    note(context, await app.guards.allow(verdict, ownerAt('terminal')));
    return exitCodes.done;
  });
