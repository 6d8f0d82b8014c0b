import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import { loadConfig } from '../../app/config.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { type AnswerReport, assessAnswer } from '../../app/planning.ts';
import type { Given } from '../command.ts';
import { type Context, print, printJson } from '../context.ts';
import { shellIn } from './run-choices.ts';

/** Says what becomes of a planner's raw answer, from a file or stdin; with `--batch`, of one on each line. */
export async function checkAnswers(
  context: Context,
  given: Given,
  file: string | undefined,
): Promise<ExitCode> {
  const assess = assessor(context, given);
  if (given.flag('batch')) return batch(context, file, assess);
  const report = await assess(
    file === undefined || file === '-' ? await readText(context.stdin) : read(context, file),
  );
  if (given.flag('json')) printJson(context, report);
  else print(context, lines(report).join('\n'));
  return report.outcome === 'rejected' ? exitCodes.failed : exitCodes.done;
}

type Assess = (raw: string) => Promise<AnswerReport>;

function assessor({ cwd, env }: Context, given: Given): Assess {
  const workspace = findWorkspace(cwd, given.text('workspace'));
  const { values } = loadConfig({ places: findPlaces(env), env, workspace });
  const shell = shellIn({ config: { values } }, given);
  return (raw) => assessAnswer(raw, { workspace, env, shell });
}

function read({ cwd }: Context, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new AppError('file-missing', `there is no file ${file} that can be read`, { cause });
  }
}

/** One JSON line in, one out, in order; what cannot be read is answered too. */
async function batch(context: Context, file: string | undefined, assess: Assess): Promise<ExitCode> {
  const source =
    file === undefined || file === '-'
      ? createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })
      : read(context, file).split('\n');
  for await (const line of source) {
    if (line.trim() === '') continue;
    const raw = rawOf(line);
    const answer =
      raw === null ? { error: 'a line is a JSON object with the text `raw`' } : await assess(raw);
    print(context, JSON.stringify(answer));
  }
  return exitCodes.done;
}

function rawOf(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    const raw = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : null;
    return typeof raw === 'string' ? raw : null;
  } catch {
    return null;
  }
}

function lines({ outcome, repairs, reasons, question, steps = [], warnings }: AnswerReport): string[] {
  const say = ({ code, message, hint }: AnswerReport['reasons'][number]) => `  ${code}: ${message} ${hint}`;
  return [
    question === undefined ? outcome : `${outcome}: ${question}`,
    ...repairs.map((repair) => `  repaired: ${repair}`),
    ...reasons.map(say),
    ...steps.map(({ title, action, risk }, index) => `  ${index + 1}. [${risk}] ${title}: ${action}`),
    ...warnings.map((warning) => `  warning ${say(warning).trimStart()}`),
  ];
}
