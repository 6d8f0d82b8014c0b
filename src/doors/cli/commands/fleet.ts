import { AppError, exitCodes } from '../../app/errors.ts';
import { setUpFleet } from '../../app/fleet-setup.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb] = atMost(given, 1);
    const server = given.text('server-role');
    const worker = given.text('worker-role');
    if (verb !== 'setup' || server === undefined || worker === undefined)
      throw new AppError('usage', `planwright ${given.usage}`);
    if (server === worker) throw new AppError('usage', 'servers and workers need roles of their own');
    await mustDecide(context, 'fleet setup');
    await setUpFleet(context.env, { server, worker });
    if (given.flag('json')) printJson(context, { server, worker });
    note(
      context,
      `The database is ready. ${server} is for servers and people, ${worker} for workers: it drives runs, and cannot write what people decide.`,
    );
    return exitCodes.done;
  },
};
