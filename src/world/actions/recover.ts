import type { Recovered } from '../../core/run/index.ts';
import { bootId, isProcessAlive } from '../process/identity.ts';
import { endGroup, endMarked, type GroupEnd } from '../process/index.ts';
import { checkExpectation, isCheckableAnytime, lookingFrom } from './expectations/check.ts';
import { foundDone } from './results.ts';
import type { Lost } from './tools.ts';

/**
 * How far an attempt came whose driver is gone. Ends what it left running, so that whatever is decided next
 * meets a quiet workspace.
 *
 *   no process recorded, same boot ──▶ not-started: the gate was never opened
 *   no process recorded, other boot ──▶ unknown
 *   its shell had ended, `expects` was seen not to hold before and holds now ──▶ done
 *   anything else ──▶ unknown; a shell that was still running was not done, whatever holds
 */
export async function recoverAttempt({ work, expectation, tools }: Lost): Promise<Recovered> {
  const { spawned, run, step, epoch, session } = work;
  if (!spawned) {
    return work.boot === bootId()
      ? { finding: 'not-started', detail: 'its driver ended before it let the step run' }
      : { finding: 'unknown', detail: 'the machine has been restarted since, and no process was recorded' };
  }
  const { group, heldBefore } = spawned;
  const wasRunning = isProcessAlive({ pid: group.pgid, startTime: group.startTime, boot: group.boot });
  const ended = await endGroup(group, { run, ...tools.grace });
  await endMarked({ run, step: step.id, epoch }, tools.grace);
  const fate = describeFate(wasRunning, ended, group.boot === bootId());
  if (!expectation || !isCheckableAnytime(expectation)) {
    return { finding: 'unknown', detail: `${fate}; nothing it promises can be checked afterwards` };
  }
  const seen = await checkExpectation(expectation, lookingFrom(work, tools.baseEnv));
  if (seen.held && heldBefore === false && !wasRunning) {
    return { finding: 'done', result: { ...foundDone(seen), session } };
  }
  const before = heldBefore === true ? ', as it was before' : '';
  return { finding: 'unknown', detail: `${fate}; now ${seen.sentence}${before}` };
}

function describeFate(wasRunning: boolean, ended: GroupEnd, sameBoot: boolean): string {
  if (!sameBoot) return 'the machine has been restarted since the step was let run';
  if (ended === 'stuck') return 'the step was let run, and processes of it could not be ended';
  if (wasRunning) return 'the step was still running and has been ended';
  if (ended === 'ended' || ended === 'killed')
    return 'the step had ended, and what it left running has been ended';
  return 'the step was let run and had ended, and nobody saw how';
}
