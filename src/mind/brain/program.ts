import { spawn } from 'node:child_process';
import { Correction } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { Brain } from './brain.ts';

export interface ProgramOptions {
  /** A command line for the shell. */
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER = 1_000_000;

/**
 * A brain of the user's own: a program that is given the failure as one JSON object on stdin and answers with a
 * correction, or `null`, on stdout. What it answers is gated like anything else. One that fails, takes too long, or
 * answers with something else has declined.
 */
export function createProgramBrain({ command, env, timeoutMs = TIMEOUT_MS }: ProgramOptions): Brain {
  return {
    async analyzeFailure(failure, context, calls) {
      const { title, action, expects } = failure.step;
      const { env: _untold, ...known } = failure;
      const told = { ...known, step: { title, action: printAction(action), expects }, context };
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(calls ? [calls.signal] : [])]);
      const answer = await ask(command, JSON.stringify(told), { env, cwd: failure.cwd, signal });
      const name = command.slice(0, 80);
      const decline = (why: string): null => {
        if (!calls?.signal.aborted) context.noteTrouble?.(`the program \`${name}\` ${why}`);
        return null;
      };
      if (typeof answer === 'string') return decline(answer);
      if (answer === null) return null;
      const source = { brain: 'program', name };
      const parsed = Correction.safeParse({ confidence: 1, reasoning: '', ...answer, source });
      if (parsed.success) return parsed.data;
      const { path = [], message = '' } = parsed.error.issues[0] ?? {};
      return decline(`answered with what is no correction: ${path.join('.') || 'the object'}: ${message}`);
    },
  };
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string | undefined;
  signal: AbortSignal;
}

/**
 * The program in a group of its own, beside a watcher that ends the group when the other end of descriptor 3 is gone:
 * a driver that is killed leaves no brain behind.
 */
const GUARDED = '{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec sh -c "$1" 3<&-';

/**
 * The object that the program wrote, null where it declined, or a text: what is wrong with its answer. Ends its whole
 * process group when the time is up. Never throws.
 */
function ask(command: string, input: string, { env, cwd, signal }: Place): Promise<object | string | null> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', GUARDED, 'sh', command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      env: { ...env },
      cwd,
    });
    let said = '';
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const giveUp = (why = 'took too long') => {
      endGroup();
      resolve(why);
    };
    const stopped = () => giveUp();
    signal.addEventListener('abort', stopped, { once: true });
    if (signal.aborted) giveUp();
    child.on('error', ({ message }) => resolve(`could not be started: ${message}`));
    child.stdin?.on('error', () => undefined);
    child.stdio[3]?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.length > MAX_ANSWER) giveUp('wrote more than a megabyte');
    });
    // What it left running ends with it.
    child.on('exit', endGroup);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stopped);
      resolve(code === 0 ? answerIn(said) : `ended with exit code ${code}`);
    });
    child.stdin?.end(input);
  });
}

function answerIn(text: string): object | string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : 'answered with JSON that is no object';
  } catch {
    return text.trim() === ''
      ? 'answered nothing: to decline it writes null'
      : 'answered with what is no JSON';
  }
}
