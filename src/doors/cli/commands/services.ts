import type { ServiceView } from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { SHORTEST_BEGINNING } from '../../app/meant.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { meantRun } from '../meant-run.ts';
import { renderServices } from '../render/services.ts';
import { askOfRun } from '../request.ts';
import { withApp } from '../with-app.ts';
import { copyLog } from './logs.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'list', named] = atMost(given, 2);
    if (verb === 'stop') {
      const { run, name } = await withApp(context, given, async (app) =>
        pick(await known(app, given), named),
      );
      const body = { type: 'service-stop-requested', name } as const;
      return askOfRun(context, given, run, 'look', body, `Stopped ${name}`);
    }
    if (verb === 'keep') return keep(context, given, named);
    if (verb === 'log') return withApp(context, given, (app) => log(app, context, given, named));
    if (verb !== 'list' || named !== undefined)
      throw new AppError('usage', `usage: planwright ${given.usage}`);
    return withApp(context, given, async (app) => {
      const found = await known(app, given);
      if (given.flag('json')) printJson(context, found);
      else if (found.length > 0)
        print(context, renderServices(found, { ...lookOf(context, 'stdout'), now: Date.now() }).join('\n'));
      else note(context, `No services run${given.flag('all') ? '' : ' here. planwright services --all'}.`);
      return exitCodes.done;
    });
  },
};

/** The step in flight that serves a port becomes a service, and the run goes on. */
async function keep(context: Context, given: Given, named: string | undefined) {
  const { id, stepId, port } = await withApp(context, given, async (app) => {
    const row = await meantRun(app, context, given, named, 'pause');
    const { inFlight } = await app.runs.state(row.id);
    const [first] = inFlight?.listens ?? [];
    if (inFlight === null || first === undefined)
      throw new AppError('usage', `no step of run ${row.id} serves a port`);
    return { id: row.id, stepId: inFlight.stepId, port: first };
  });
  const body = { type: 'serve-requested', stepId, port } as const;
  return askOfRun(context, given, id, 'look', body, 'Kept as a service');
}

/** Those of the folder that is meant here, or of all, without what their runs have to hide. */
async function known(app: App, given: Given): Promise<ServiceView[]> {
  const here = async () => ({ workspace: await app.runs.folder(app.workspace) });
  const found = await app.runs.services(given.flag('all') ? {} : await here());
  return Promise.all(found.map(async (one) => app.redactorFor(await app.runs.state(one.run)).value(one)));
}

/** The one that is meant, by its name or by its run; without either, the only one. Throws an AppError for none and for several. */
function pick(services: readonly ServiceView[], named: string | undefined): ServiceView {
  const isMeant = ({ name, run }: ServiceView) =>
    named === undefined || name === named || (named.length >= SHORTEST_BEGINNING && run.startsWith(named));
  const [first, ...others] = services.filter(isMeant);
  if (first === undefined) {
    const which = named === undefined ? '' : ` ${JSON.stringify(named)}`;
    throw new AppError('usage', `no service${which} runs here; planwright services --all lists every one`);
  }
  if (others.length === 0) return first;
  const list = [first, ...others].map(({ name, run }) => `${name} of run ${run}`).join(', ');
  throw new AppError('usage', `several fit: ${list}`);
}

async function log(app: App, context: Context, given: Given, named: string | undefined) {
  const { run, stepId, attemptIndex } = pick(await known(app, given), named);
  const filter = app.redactorFor(await app.runs.state(run)).bytes();
  if (!given.flag('follow')) {
    await copyLog(app, context, run, { stepId, attemptIndex }, filter);
    return exitCodes.done;
  }
  const stop = new AbortController();
  const leave = () => stop.abort();
  const staying = setInterval(() => {}, 60_000);
  process.once('SIGINT', leave);
  context.stdout.once('error', leave);
  try {
    for await (const { bytes } of app.streams.output.follow(run, stepId, attemptIndex, stop.signal))
      context.stdout.write(filter.write(bytes));
  } finally {
    clearInterval(staying);
    process.off('SIGINT', leave);
    context.stdout.off('error', leave);
  }
  return exitCodes.done;
}
