import type { ServiceState, SimpleAction, StepResult } from '../../../core/contract/index.ts';
import { type AttemptWork, failedResult } from '../../../core/engine/index.ts';
import { endGroup, endMarked, type GroupEnd } from '../../process/index.ts';
import { doneWithout } from '../results.ts';
import type { Tools } from '../tools.ts';

export type StopAction = Extract<SimpleAction, { kind: 'stop' }>;

/** Ends a service of this run, and what left its group. One that is gone already is as good as stopped. Never throws. */
export async function attemptStop(
  { name }: StopAction,
  { run, services }: AttemptWork,
  tools: Tools,
): Promise<StepResult> {
  const service = services.find((each) => each.name === name);
  if (service === undefined) return failedResult('not-started', `there is no service ${name} in this run`);
  const startedAt = tools.clock.now();
  const end = await endService(run, service, tools);
  const durationMs = Math.max(0, tools.clock.now() - startedAt);
  if (end === 'stuck')
    return { ...failedResult('internal', `processes of the service ${name} could not be ended`), durationMs };
  const wasThere = end === 'ended' || end === 'killed';
  const message = `the service ${name} ${wasThere ? 'was stopped' : 'had ended already'}`;
  return { ...doneWithout(message), durationMs, service: { name, state: 'stopped', keep: service.keep } };
}

/** Ends its group, where it is still its own, and whatever carries its mark. Marks its log as ended. Never rejects. */
export async function endService(run: string, service: ServiceState, tools: Tools): Promise<GroupEnd> {
  const { name, group, stepId, attemptIndex } = service;
  const end = await endGroup(group, { run, service: name, ...tools.grace });
  const strays = await endMarked({ run, service: name }, tools.grace);
  if (end !== 'stuck') endLog(run, stepId, attemptIndex, tools);
  return end === 'absent' && strays > 0 ? 'ended' : end;
}

/** Whoever follows the log is told that no more will come. A log that cannot be ended only makes them wait. */
export function endLog(run: string, stepId: string, attemptIndex: number, { output }: Tools): void {
  try {
    void Promise.resolve(output.writer(run, stepId, attemptIndex).end()).catch(() => {});
  } catch {
    // See above.
  }
}
