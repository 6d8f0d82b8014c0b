import type { Verdict } from '../../../core/contract/index.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { createJudge } from '../../app/judge.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { type CommandCode, oneOf } from '../command.ts';
import { type Context, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderVerdict } from '../render/verdict.ts';

export const command: CommandCode = {
  async run(context, given) {
    const shell = oneOf(given, 'shell', ['bash', 'pwsh'] as const) ?? 'bash';
    const workspace = findWorkspace(context.cwd, given.text('workspace'));
    const judge = judgeIn(context, workspace, shell);
    if (given.flag('batch')) return batch(context, judge, workspace);
    const text = given.positionals.join(' ');
    if (text === '') throw new AppError('usage', `usage: planwright ${given.usage}`);
    const verdict = await judge(text, workspace);
    if (given.flag('json')) printJson(context, { command: text, ...verdict });
    else print(context, renderVerdict(text, verdict, lookOf(context, 'stdout')).join('\n'));
    return exitCodes.done;
  },
};

type Judge = (command: string, cwd: string) => Promise<Verdict>;

/** As the first step of a run in this folder would be judged: trust, rules, and what is there included. */
function judgeIn({ env }: Context, workspace: string, shell: 'bash' | 'pwsh'): Judge {
  const judge = createJudge({ places: findPlaces(env), env, workspace });
  return async (command, cwd) =>
    judge({ kind: 'run-command', command }, { session: { cwd, env: {} }, workspace, shell });
}

/** In the same order, one line for one line: what cannot be read is answered with an error, not left out. */
async function batch({ stdin, stdout }: Context, judge: Judge, workspace: string): Promise<ExitCode> {
  const { createInterface } = await import('node:readline');
  for await (const text of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text.trim() === '') continue;
    const answer = `${JSON.stringify(await judgeLine(text, judge, workspace))}\n`;
    if (!stdout.write(answer)) await new Promise((resolve) => stdout.once('drain', resolve));
  }
  return exitCodes.done;
}

async function judgeLine(text: string, judge: Judge, workspace: string): Promise<unknown> {
  let line: { command?: unknown; cwd?: unknown } | null;
  try {
    line = JSON.parse(text);
  } catch {
    return { error: 'this line is not JSON' };
  }
  const { command, cwd = workspace } = line ?? {};
  if (typeof command !== 'string' || typeof cwd !== 'string') {
    return { error: 'a line is {"command": …, "cwd"?: …}' };
  }
  return { command, ...(await judge(command, cwd)) };
}
