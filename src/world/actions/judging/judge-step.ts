import { realpathSync } from 'node:fs';
import type { Subject, Verdict } from '../../core/contract/index.ts';
import { type AttemptWork, type JudgeWork, type Permit, redeemPermit } from '../../core/engine/index.ts';
import type { VerdictPort } from './ports.ts';

/** Links resolved; as it was given where it is not there. Not async: a trip to the thread pool costs more. */
function realDirectory(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch {
    return cwd;
  }
}

/** Where a judge fails, nothing is known, and nothing may be assumed: a person has to look. */
const unjudged = (error: unknown): Verdict => ({
  level: 'dangerous',
  reasons: [
    {
      rule: 'judge-failed',
      level: 'dangerous',
      sentence: `it could not be judged: ${error instanceof Error ? error.message : String(error)}`,
    },
  ],
  reversible: false,
  needs: [],
  paths: [],
});

/** Judges, and says exactly what was judged. Never throws. */
export async function judgeStep(
  port: VerdictPort,
  work: JudgeWork,
  signal: AbortSignal,
): Promise<{ verdict: Verdict; subject: Subject }> {
  const { run, revision, step, session } = work;
  const cwd = realDirectory(session.cwd);
  let verdict: Verdict;
  try {
    verdict = await port(work, signal);
  } catch (error) {
    verdict = unjudged(error);
  }
  const subject = { run, stepId: step.id, revision, action: step.action, cwd, paths: verdict.paths };
  return { verdict, subject };
}

/**
 * Takes the permit for what is about to be done, resolved and judged once more. If the action, the directory or a
 * path is no longer what was judged and shown, the permit is not for this.
 */
export async function takePermit(
  port: VerdictPort,
  permit: Permit,
  work: AttemptWork,
  signal: AbortSignal,
): Promise<boolean> {
  const { subject } = await judgeStep(port, work, signal);
  return redeemPermit(permit, subject);
}
