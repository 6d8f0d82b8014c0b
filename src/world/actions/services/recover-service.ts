import type { ActionOf } from '../../../core/contract/index.ts';
import type { Recovered } from '../../../core/run/index.ts';
import { endGroup, endMarked, findMarked, inspectGroup } from '../../process/index.ts';
import { checkExpectation, isCheckableAnytime, lookingFrom } from '../expectations/check.ts';
import { foundDone } from '../results.ts';
import type { Lost } from '../tools.ts';

/**
 * A start whose driver is gone. A service that lives and keeps its promise is started; any other is ended, and is as
 * if it had never been begun.
 */
export async function recoverStart(
  action: ActionOf<'start'>,
  { expectation, work, tools }: Lost,
): Promise<Recovered> {
  const { run, epoch, spawned } = work;
  const { name, keep } = action;
  const owner = { run, epoch, service: name };
  if (spawned === null)
    return { finding: 'not-started', detail: 'its driver ended before it let the service run' };
  const isAlive = inspectGroup(spawned.group, owner) === 'ours';
  const checkable = expectation !== null && isCheckableAnytime(expectation) ? expectation : null;
  const seen =
    isAlive && checkable ? await checkExpectation(checkable, lookingFrom(work, tools.baseEnv)) : null;
  if (isAlive && seen?.held !== false) {
    const found = foundDone(seen ?? { held: true, sentence: `the service ${name} is running` });
    const service = { name, state: 'started' as const, keep };
    return { finding: 'done', result: { ...found, expectation: seen, service } };
  }
  await endGroup(spawned.group, { ...owner, ...tools.grace });
  await endMarked(owner, tools.grace);
  const detail = isAlive
    ? `the service was not ready and has been ended: ${seen?.sentence}`
    : 'the service had ended before it was seen to be ready';
  return { finding: 'not-started', detail };
}

/** A stop whose driver is gone. Stopping again is no harm, so whatever is not seen to be gone is stopped again. */
export async function recoverStop({ name }: ActionOf<'stop'>, { work: { run } }: Lost): Promise<Recovered> {
  if (process.platform !== 'linux' || findMarked({ run, service: name }).length > 0)
    return { finding: 'not-started', detail: `the service ${name} may still be running` };
  const seen = { held: true, sentence: `the service ${name} is not running` };
  const service = { name, state: 'stopped' as const, keep: false };
  return { finding: 'done', result: { ...foundDone(seen), expectation: null, service } };
}
