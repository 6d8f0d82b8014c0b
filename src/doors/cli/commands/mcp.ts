import { openApp } from '../../app/app.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note } from '../context.ts';
import { firstSignal } from '../page.ts';
import { versionOf } from '../version.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const { env, cwd, stdin, stdout } = context;
    const workspace = given.text('workspace');
    const { serveMcp } = await import('../../mcp/index.ts');
    const app = await openApp({ env, cwd, ...(workspace === undefined ? {} : { workspace }) });
    const ending = new AbortController();
    void firstSignal().then(() => ending.abort());
    try {
      await serveMcp({
        ...{ app, env, stdin, stdout, signal: ending.signal, version: versionOf() },
        async pageUrl() {
          const { findServer } = await import('../../server/index.ts');
          return (await findServer(app.places.data))?.url ?? null;
        },
        onError: (what, error) =>
          note(context, `${what}: ${error instanceof Error ? error.message : String(error)}`),
      });
    } finally {
      await app.close();
    }
    return exitCodes.done;
  },
};
