import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note } from '../context.ts';
import { versionOf } from '../version.ts';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const { serveAcp } = await import('../../acp/index.ts');
    const ending = new AbortController();
    // The first lets what goes on come to rest, a second leaves.
    const end = () => (ending.signal.aborted ? process.exit(exitCodes.interrupted) : ending.abort());
    for (const name of endings) process.on(name, end);
    try {
      const { env, stdin: input, stdout: output } = context;
      const say = (sentence: string) => note(context, sentence);
      await serveAcp({ env, input, output, version: versionOf(), note: say, signal: ending.signal });
    } finally {
      for (const name of endings) process.off(name, end);
    }
    return exitCodes.done;
  },
};
