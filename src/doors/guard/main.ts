import { readFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { type GuardedAgent, guardedAgents } from '../../core/contract/guard/index.ts';
import { answerHook, checkpointChoices, type GuardCheckpoints } from '../app/guard/hook.ts';

/**
 * `planwright guard hook AGENT [--checkpoints=…]`: reads what an agent tells its hook and answers in its format. An entry of
 * its own, so that nothing else is loaded. Answers an exit code; 1, and nothing on stdout, where it is called in another way:
 * the wrapper that calls it takes that for a deny.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [name, option = '--checkpoints=auto'] = args;
  const agent = guardedAgents.find((known) => known === name);
  const checkpoints = checkpointChoices.find((choice) => option === `--checkpoints=${choice}`);
  if (agent === undefined || checkpoints === undefined) {
    process.stderr.write(
      `usage: planwright guard hook ${guardedAgents.join('|')} [--checkpoints=${checkpointChoices.join('|')}]\n`,
    );
    return 1;
  }
  return hook(agent, checkpoints);
}

/**
 * Ends the process by itself once the answer is written: whoever waits for it would else wait for the store to be closed, which
 * tidies up what the next one finds as well. All that was written is on the disk by then.
 */
async function hook(agent: GuardedAgent, checkpoints: GuardCheckpoints): Promise<number> {
  const text = await readAll();
  const program = process.argv[1];
  const { stdout, exitCode } = await answerHook({
    ...{ agent, text, env: process.env, checkpoints, program, isLast: true },
  });
  writeSync(1, stdout);
  // What an end like this would leave out: the code that was compiled for the first time.
  flushCompileCache();
  process.exit(exitCode);
}

/** Without the streams of Node, which take longer to load than the text to be read. */
async function readAll(): Promise<string> {
  try {
    return readFileSync(0, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }
}
