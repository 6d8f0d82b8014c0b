import { z } from 'zod';
import type { Correction } from '../../core/contract/index.ts';
import { type Brain, emptyContext, type Failure } from './brain.ts';

/** One line of `planwright diagnose --batch`: what is known of a command that failed. */
export const DiagnoseLine = z.strictObject({
  command: z.string(),
  output: z.string(),
  exitCode: z.int().nullable().optional(),
  cwd: z.string().optional(),
});
export type DiagnoseLine = z.infer<typeof DiagnoseLine>;

/** The failure of a command of which only this is known. */
export function failureOf({ command, output, exitCode, cwd }: DiagnoseLine): Failure | null {
  if (command.trim() === '') return null;
  return {
    step: { title: 'A command that failed', action: { kind: 'run-command', command } },
    result: { exitCode: exitCode ?? 1, stdoutTail: '', stderrTail: output, why: 'exit-code' },
    earlier: [],
    ...(cwd === undefined ? {} : { cwd }),
    shell: 'bash',
    goal: '',
  };
}

/** What became of one line: a correction, `null` where no brain is sure, or why the line could not be read. */
export type Diagnosed =
  | { readonly ok: true; readonly correction: Correction | null }
  | { readonly ok: false; readonly message: string };

/**
 * Diagnoses line after line, in order. Runs nothing; a brain that probes looks only where a line names its `cwd`. A line
 * that is no diagnosable JSON is answered, not thrown.
 */
export async function* diagnoseBatch(
  lines: Iterable<string> | AsyncIterable<string>,
  brain: Brain,
): AsyncGenerator<Diagnosed> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    yield await diagnoseLine(line, brain);
  }
}

async function diagnoseLine(line: string, brain: Brain): Promise<Diagnosed> {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch {
    return { ok: false, message: 'This line is not JSON.' };
  }
  const parsed = DiagnoseLine.safeParse(data);
  if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
  if (parsed.data.exitCode === 0) return { ok: true, correction: null };
  const failure = failureOf(parsed.data);
  return {
    ok: true,
    correction: failure === null ? null : await brain.analyzeFailure(failure, emptyContext),
  };
}
