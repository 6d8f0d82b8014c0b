import type { Expectation, ExpectationResult, Session } from '../../../core/contract/index.ts';
import type { Environment } from '../../process/environment.ts';
import { checkCommandExists, checkExists, checkFileContains } from './files.ts';
import { checkPort, checkUrl, type Patience, patiently } from './network.ts';
import { type Observed, observed, settle } from './observed.ts';
import type { OutputWatch } from './output.ts';

export interface ExpectationContext {
  /** What relative paths are relative to: the same before the attempt, after it, and after a crash. */
  workspace: string;
  /** The directory and PATH of the step's shell, for `command exists`. */
  cwd: string;
  path: string | undefined;
  /** Null where it has none, or left out: before the attempt, or ended by a signal. */
  exitCode?: number | null;
  /** What watched the attempt's output; left out before the attempt. */
  output?: OutputWatch | null;
  timeoutMs?: number;
  patienceMs?: number;
  signal?: AbortSignal;
}

/** Where a step looks from that runs in this session. */
export const lookingFrom = (
  { workspace, session: { cwd, env } }: { workspace: string; session: Session },
  baseEnv: Environment,
) => ({
  workspace,
  cwd,
  path: (Object.hasOwn(env, 'PATH') ? env['PATH'] : baseEnv['PATH']) ?? undefined,
});

/** Whether it can be looked at without the attempt's own exit and output. */
export const isCheckableAnytime = ({ kind }: Expectation): boolean =>
  kind !== 'exit' && kind !== 'output-contains' && kind !== 'output-matches';

/** Whether it holds now. Never rejects: what cannot be told does not hold, and the sentence says why. */
export const checkExpectation = async (
  expectation: Expectation,
  context: ExpectationContext,
): Promise<ExpectationResult> => settle(await observe(expectation, context));

/** Whether it holds now; null where that cannot be told. Never rejects. */
export async function observe(expectation: Expectation, context: ExpectationContext): Promise<Observed> {
  try {
    return await look(expectation, context);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { held: null, sentence: `what was expected could not be checked: ${why}` };
  }
}

async function look(expectation: Expectation, context: ExpectationContext): Promise<Observed> {
  const patience: Patience = {
    timeoutMs: context.timeoutMs ?? 5_000,
    patienceMs: context.patienceMs ?? 0,
    signal: context.signal,
  };
  switch (expectation.kind) {
    case 'exit':
      return checkExit(expectation.code, context.exitCode ?? null);
    case 'file-exists':
    case 'dir-exists':
      return checkExists(expectation, context.workspace);
    case 'file-contains':
      return checkFileContains(expectation, context.workspace, context.signal);
    case 'output-contains':
    case 'output-matches':
      return context.output?.result() ?? { held: null, sentence: 'there is no output to look at' };
    case 'port':
      return patiently(() => checkPort(expectation, patience), patience);
    case 'url':
      return patiently(() => checkUrl(expectation, patience), patience);
    case 'command-exists':
      return checkCommandExists(expectation, context.cwd, context.path);
  }
}

function checkExit(code: number, exitCode: number | null): Observed {
  const instead = exitCode === null ? 'it did not exit by itself' : `it exited with code ${exitCode}`;
  return observed(
    exitCode === code,
    `it exited with code ${code}`,
    `expected it to exit with code ${code}, and ${instead}`,
  );
}
