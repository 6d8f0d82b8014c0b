import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { startDrivers } from '../app/drivers.ts';
import type { Env } from '../app/places.ts';
import type { McpDesk } from './desk.ts';
import { createServers } from './server.ts';

interface StdioOptions extends Pick<McpDesk, 'version' | 'pageUrl' | 'onError'> {
  /** Belongs to the caller, who closes it after this. */
  app: App;
  env: Env;
  stdin: Readable;
  stdout: Writable;
  /** Ends it as the end of stdin does. */
  signal: AbortSignal;
}

/** A message may be so long: what is longer ends the connection. */
const longest = 4 * 1024 * 1024;

/**
 * Serves one client until it closes our stdin. Drives what this client asks for or attends, and nothing else: other runs are
 * not this process's to take along when it ends. Resolves when what it drives rests.
 */
export async function serveMcp({ app, env, stdin, stdout, signal, ...rest }: StdioOptions): Promise<void> {
  const minded = new Set<string>();
  const drivers = startDrivers(app, {
    onError: (run, error) => rest.onError(run === '' ? 'looking for runs' : `run ${run}`, error),
    minds: (run) => minded.has(run),
  });
  const dispatch = (run: string) => {
    minded.add(run);
    drivers.dispatch(run);
  };
  const desk: McpDesk = { app, env, drivers: { dispatch }, owner: ownerAt('mcp'), ...rest };
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: longest });
  const handle = serveStdio(createServers(desk), {
    transport,
    onerror: (error) => rest.onError('a message', error),
  });
  await ended;
  await handle.close();
  await drivers.stop();
}
