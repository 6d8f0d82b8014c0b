import type { ActionOf, ServiceState, StepResult } from '../../../core/contract/index.ts';
import { failedResult, nothingToDo } from '../../../core/run/index.ts';
import { endGroup, endMarked, type GroupEnd } from '../../process/index.ts';
import { checkExpectation, lookingFrom } from '../expectations/check.ts';
import type { Attempt, Tools } from '../tools.ts';

/** A port may stay open for a moment after its process. */
const PATIENCE_MS = 3_000;

/** Ends a service of this run, and what left its group. One that is gone already is as good as stopped. Never throws. */
export async function attemptStop(
  { name }: ActionOf<'stop'>,
  { expectation, work, hooks: { signal }, tools }: Attempt,
): Promise<StepResult> {
  const { services } = work;
  const service = services.find((each) => each.name === name);
  if (service === undefined) return failedResult('not-started', `there is no service ${name} in this run`);
  const startedAt = tools.clock.now();
  const end = await endService(work, service, tools);
  if (end === 'elsewhere')
    return failedResult('internal', `the service ${name} is on host ${service.group.host}: stop it there`);
  if (end === 'stuck') return failedResult('internal', `processes of the service ${name} could not be ended`);
  const seen =
    expectation &&
    (await checkExpectation(expectation, {
      ...lookingFrom(work, tools.baseEnv),
      exitCode: 0,
      patienceMs: PATIENCE_MS,
      ...(signal.aborted ? {} : { signal }),
    }));
  const how = end === 'ended' || end === 'killed' ? 'was stopped' : 'had ended already';
  return {
    ...nothingToDo(`the service ${name} ${how}`),
    durationMs: Math.max(0, tools.clock.now() - startedAt),
    expectation: seen,
    ...(seen?.held === false ? { why: 'expectation' as const, message: seen.sentence } : {}),
    service: { name, state: 'stopped', keep: service.keep },
  };
}

/** Ends its group, where it is still its own, and whatever carries its mark. Marks its log as ended. Never rejects. */
export async function endService(
  { run, epoch }: { run: string; epoch: number },
  service: ServiceState,
  tools: Tools,
): Promise<GroupEnd> {
  const { name, group, stepId, attemptIndex } = service;
  const end = await endGroup(group, { run, service: name, ...tools.grace });
  const strays = await endMarked({ run, epoch, service: name }, tools.grace);
  if (end !== 'stuck' && end !== 'elsewhere') endLog(run, stepId, attemptIndex, tools);
  return end === 'absent' && strays > 0 ? 'ended' : end;
}

/** Whoever follows the log is told that no more will come. A log that cannot be ended only makes them wait. */
export function endLog(run: string, stepId: string, attemptIndex: number, { output }: Tools): void {
  output
    .writer(run, stepId, attemptIndex)
    .then((log) => log.end())
    .catch(() => {});
}
