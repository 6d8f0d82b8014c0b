import { createClient, Role } from '../../../core/contract/index.ts';
import { openApp } from '../../app/app.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { createMeter } from '../../app/metrics.ts';
import { hashGiven } from '../../app/passes.ts';
import type { Env } from '../../app/places.ts';
import type { Notice, ProxyRules, RunningServer } from '../../server/index.ts';
import { openBrowser } from '../browser.ts';
import { atMost, type CommandCode, type Given, oneOf, wholeNumber } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { firstSignal, servePage } from '../page.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    // Steps are run in what is left of it: what lets people in is not for them.
    const { PLANWRIGHT_TOKEN: token, PLANWRIGHT_PROXY_SECRET: secret, ...env } = context.env;
    const host = given.text('host') ?? '127.0.0.1';
    const port = portOf(given);
    const server = await import('../../server/index.ts');
    for (const each of [token, secret]) checkLength(each);
    const proxy = proxyOf(given, secret);
    const workspace = given.text('workspace');
    const meter = createMeter();
    const app = await openApp({
      env,
      around: meter.around,
      cwd: context.cwd,
      ...(workspace === undefined ? {} : { workspace }),
    });
    try {
      const running = await server.findServer(app.places.data);
      if (running !== null) return await useOther(context, given, running);
      const isClosed = !token && proxy === undefined && (await (await app.passes()).list()).length === 0;
      if (isClosed && !server.isLoopback(host)) throw tooOpen(host);
      const allowedHosts = given.list('allowed-host');
      const options = { env, token: token || undefined, proxy, meter, host, port, allowedHosts };
      const started = await servePage(context, app, options);
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

const SHORTEST_SECRET = 16;
const PRINTED_MINUTES = 10;

function checkLength(secret = ''): void {
  if (secret === '' || secret.length >= SHORTEST_SECRET) return;
  throw new AppError(
    'usage',
    `PLANWRIGHT_TOKEN and PLANWRIGHT_PROXY_SECRET have to be ${SHORTEST_SECRET} characters or longer`,
  );
}

const tooOpen = (host: string) =>
  new AppError(
    'usage',
    `on ${host} everybody who can reach this machine can reach the server, over a connection that is not encrypted, ` +
      'and whoever may decide can run commands as you. If you want that, say who: set PLANWRIGHT_TOKEN to a token of your own, or planwright token add NAME --role admin',
  );

function proxyOf(given: Given, secret: string | undefined): ProxyRules | undefined {
  const header = given.text('proxy-header');
  const groups = Object.fromEntries(given.list('proxy-group').map(groupOf));
  const groupsHeader = given.text('proxy-groups');
  const role = oneOf(given, 'proxy-role', Role.options) ?? null;
  const from = given.list('proxy-from');
  if (header === undefined) {
    if (from.length === 0 && role === null && Object.keys(groups).length === 0) return undefined;
    throw new AppError('usage', 'say which header names who calls: --proxy-header X-Forwarded-User');
  }
  if (role === null && (groupsHeader === undefined || Object.keys(groups).length === 0))
    throw new AppError(
      'usage',
      'say what those may whom the proxy names: --proxy-role viewer, or --proxy-groups HEADER --proxy-group GROUP=ROLE',
    );
  const secretHash = secret ? hashGiven(secret) : null;
  return { header, groupsHeader, from, secretHash, role, groups };
}

function groupOf(given: string): [string, Role] {
  const at = given.lastIndexOf('=');
  const role = Role.safeParse(given.slice(at + 1));
  if (at > 0 && role.success) return [given.slice(0, at), role.data];
  throw new AppError('usage', `--proxy-group takes GROUP=ROLE, as oncall=operator; not ${given}`);
}

/** Another server works with the same data: it is the one to look at. It lets in whoever is its user and no run's. */
async function useOther(context: Context, given: Given, other: Notice): Promise<ExitCode> {
  note(context, `A server is running already (process ${other.pid}).`);
  try {
    const { address } = await createClient({ baseUrl: other.url, fetch }).newAddress();
    tell(context, given, { address, url: other.url, pid: other.pid, isNew: false });
    if (!given.flag('no-open')) openBrowser(context.env, address);
  } catch (error) {
    tell(context, given, { address: null, url: other.url, pid: other.pid, isNew: false });
    note(
      context,
      `It gives no address that opens the page: ${error instanceof Error ? error.message : error}`,
    );
  }
  return exitCodes.done;
}

/** Where it is: with the address that opens the page, where there is one. */
interface Served {
  address: string | null;
  url: string;
  pid: number;
  isNew: boolean;
}

function tell(context: Context, given: Given, served: Served): void {
  if (given.flag('json')) printJson(context, served);
  else print(context, served.address ?? served.url);
}

async function stay(context: Context, given: Given, env: Env, server: RunningServer): Promise<ExitCode> {
  const address = await server.addressOnce(PRINTED_MINUTES);
  tell(context, given, { address, url: server.url, pid: process.pid, isNew: true });
  const opened = !given.flag('no-open') && openBrowser(env, await server.addressOnce());
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
