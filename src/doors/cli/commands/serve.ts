import { createClient } from '../../../core/contract/index.ts';
import { openApp } from '../../app/app.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import type { Env } from '../../app/places.ts';
import type { Notice, RunningServer } from '../../server/index.ts';
import { openBrowser } from '../browser.ts';
import { atMost, type CommandCode, type Given, wholeNumber } from '../command.ts';
import { type Context, note, print } from '../context.ts';
import { firstSignal, servePage } from '../page.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const { PLANWRIGHT_TOKEN: ownToken = '', ...env } = context.env;
    const host = given.text('host') ?? '127.0.0.1';
    const port = portOf(given);
    const server = await import('../../server/index.ts');
    checkToken(ownToken, server.isLoopback(host), host);
    hideToken(context, ownToken, server.tokenHash);
    const workspace = given.text('workspace');
    // Steps are run in this environment: the token is not for them.
    const app = await openApp({ env, cwd: context.cwd, ...(workspace === undefined ? {} : { workspace }) });
    try {
      const token = ownToken || undefined;
      const running = await server.findServer(app.places.data);
      if (running !== null) return await useOther(context, given, running);
      const allowedHosts = given.list('allowed-host');
      const started = await servePage(context, app, { env, token, host, port, allowedHosts });
      if (!started.ok) return await useOther(context, given, started.other);
      return await stay(context, given, env, started.server);
    } finally {
      await app.close();
    }
  },
};

function portOf(given: Given): number | undefined {
  const port = wholeNumber(given, 'port');
  if (port === undefined || port < 65_536) return port;
  throw new AppError('usage', `there is no port ${port}: they end at 65535`);
}

const SHORTEST_TOKEN = 16;
const PRINTED_MINUTES = 10;

function checkToken(token: string, isLocal: boolean, host: string): void {
  if (token !== '' && token.length < SHORTEST_TOKEN) {
    throw new AppError('usage', `PLANWRIGHT_TOKEN has to be ${SHORTEST_TOKEN} characters or longer`);
  }
  if (isLocal || token !== '') return;
  throw new AppError(
    'usage',
    `on ${host} everybody who can reach this machine can reach the server, over a connection that is not encrypted, ` +
      'and whoever has the token can run commands as you. If you want that, set PLANWRIGHT_TOKEN to a token of your own',
  );
}

/**
 * The environment that a process was started with can be read by every process of the same user, steps among them: this
 * one begins anew with the token's hash in its place, as the same process.
 */
function hideToken({ env }: Context, token: string, hashOf: (token: string) => string): void {
  const hashed = `sha256:${hashOf(token)}`;
  if (token === '' || token === hashed || env !== process.env || process.execve === undefined) return;
  const [program, ...args] = process.argv;
  process.execve(program!, [program!, ...process.execArgv, ...args], {
    ...process.env,
    PLANWRIGHT_TOKEN: hashed,
  });
}

/** Another server works with the same data: it is the one to look at. It lets in whoever is its user and no run's. */
async function useOther(context: Context, given: Given, other: Notice): Promise<ExitCode> {
  note(context, `A server is running already (process ${other.pid}).`);
  try {
    const { address } = await createClient({ baseUrl: other.url, fetch }).newAddress();
    print(context, address);
    if (!given.flag('no-open')) openBrowser(context.env, address);
  } catch (error) {
    print(context, other.url);
    note(
      context,
      `It gives no address that opens the page: ${error instanceof Error ? error.message : error}`,
    );
  }
  return exitCodes.done;
}

async function stay(context: Context, given: Given, env: Env, server: RunningServer): Promise<ExitCode> {
  print(context, server.addressOnce(PRINTED_MINUTES));
  const opened = !given.flag('no-open') && openBrowser(env, server.addressOnce());
  note(context, `Planwright is at ${server.url}${opened ? '' : ': open the address above'}. Ctrl-C ends it.`);
  const signal = await firstSignal();
  const active = server.active();
  const runs = active === 1 ? 'one run' : `${active} runs`;
  if (active > 0) note(context, `${runs} will rest after the step at hand. Ctrl-C again leaves at once.`);
  const leave = () => process.exit(exitCodes.interrupted);
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  try {
    await server.close();
  } finally {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
  }
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.done;
}
