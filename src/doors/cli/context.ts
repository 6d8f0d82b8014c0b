import type { ReadStream, WriteStream } from 'node:tty';
import { AppError } from '../app/errors.ts';
import type { Env } from '../app/places.ts';

/** What a command may touch of the process it runs in. Data goes to stdout, everything else to stderr. */
export interface Context {
  env: Env;
  cwd: string;
  stdin: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
}

export function processContext(): Context {
  const { stdout, stderr } = process;
  // Whoever read them has gone: what a command does is not for them alone, and a run goes on.
  for (const stream of [stdout, stderr]) stream.on('error', unlessGone);
  let stdin: ReadStream | undefined;
  return {
    env: process.env,
    // Asked for when it is needed: help needs none, and the folder may be gone.
    get cwd() {
      try {
        return process.cwd();
      } catch (cause) {
        const gone = 'the folder that you are in is gone: go to another one';
        throw new AppError('workspace-missing', gone, { cause });
      }
    },
    // Made when it is needed: few commands read, and making it takes as long as a verdict.
    get stdin() {
      return (stdin ??= process.stdin.on('error', unlessGone) as ReadStream);
    },
    stdout: stdout as WriteStream,
    stderr: stderr as WriteStream,
  };
}

/** A pipe whose reader has ended, and a terminal that was closed. */
const gone: readonly unknown[] = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

function unlessGone(error: NodeJS.ErrnoException): void {
  if (!gone.includes(error.code)) throw error;
}

/**
 * Somebody can be asked: both ends of the conversation are a terminal, and it is not CI. Inside of a run nobody is asked:
 * what is answered there would not count.
 */
export const isAttended = ({ env, stdin, stderr }: Context): boolean =>
  stdin.isTTY === true && stderr.isTTY === true && !isCi(env) && !isMarked(env);

const isMarked = (env: Env): boolean =>
  ['PLANWRIGHT_RUN', 'PLANWRIGHT_SERVICE', 'PLANWRIGHT_HELPER'].some((name) => env[name] !== undefined);

export const isCi = (env: Env): boolean =>
  env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';

export const print = ({ stdout }: Context, text: string): void => void stdout.write(`${text}\n`);
export const note = ({ stderr }: Context, text: string): void => void stderr.write(`${text}\n`);
export const printJson = (context: Context, value: unknown): void =>
  print(context, JSON.stringify(value, null, 2));
