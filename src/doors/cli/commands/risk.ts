import { dirname } from 'node:path';
import type { Verdict } from '../../../core/contract/index.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace, homeOf } from '../../app/places.ts';
import { type CommandCode, oneOf } from '../command.ts';
import { type Context, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderVerdict } from '../render/questions.ts';

export const command: CommandCode = {
  async run(context, given) {
    const shell = oneOf(given, 'shell', ['bash', 'pwsh'] as const) ?? 'bash';
    const workspace = findWorkspace(context.cwd, given.text('workspace'));
    const judge = judgeIn(context, workspace, shell);
    if (given.flag('batch')) return batch(context, judge, workspace);
    const text = given.positionals.join(' ');
    if (text === '') throw new AppError('usage', `usage: planwright ${given.usage}`);
    const verdict = judge(text, workspace);
    if (given.flag('json')) printJson(context, { command: text, ...verdict });
    else print(context, renderVerdict(text, verdict, lookOf(context, 'stdout')).join('\n'));
    return exitCodes.done;
  },
};

type Judge = (command: string, cwd: string) => Verdict;

function judgeIn({ env }: Context, workspace: string, shell: 'bash' | 'pwsh'): Judge {
  const home = homeOf(env);
  const { data: storeDir, rules } = findPlaces(env);
  const configDir = dirname(rules);
  return (text, cwd) => judgeCommand(text, { cwd, home, workspace, storeDir, configDir, shell });
}

/** In the same order, one line for one line: what cannot be read is answered with an error, not left out. */
async function batch({ stdin, stdout }: Context, judge: Judge, workspace: string): Promise<ExitCode> {
  const { createInterface } = await import('node:readline');
  for await (const text of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text.trim() === '') continue;
    const answer = `${JSON.stringify(judgeLine(text, judge, workspace))}\n`;
    if (!stdout.write(answer)) await new Promise((resolve) => stdout.once('drain', resolve));
  }
  return exitCodes.done;
}

function judgeLine(text: string, judge: Judge, workspace: string): unknown {
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
  return { command, ...judge(command, cwd) };
}
