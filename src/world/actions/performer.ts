import type { Action, Expectation, ProcessGroup, Step, StepResult } from '../../core/contract/index.ts';
import { type AttemptWork, failedResult, type Performer, type Recovered } from '../../core/engine/index.ts';
import { baseEnvironment, endGroup, endMarked } from '../process/index.ts';
import { attemptCommand, type CommandTools } from './attempt-command.ts';
import type { PerformerOptions } from './ports.ts';
import { recoverAttempt } from './recover.ts';
import { judgeStep, takePermit } from './subject.ts';

/** What a shell is given to run for this action; null for actions that are not a shell's. */
function scriptOf(action: Action): string | null {
  if (action.kind === 'run-command') return action.command;
  if (action.kind === 'run-script') return action.script;
  return null;
}

/** Performs the steps of plan runs in the real world. Nothing of it throws: what went wrong is in the answer. */
export function createPerformer(options: PerformerOptions): Performer {
  const tools: CommandTools = {
    output: options.output,
    baseEnv: baseEnvironment(options.baseEnv),
    clock: options.clock,
    filterSecrets: options.filterSecrets,
    graceMs: options.graceMs,
  };
  const grace = options.graceMs === undefined ? {} : { graceMs: options.graceMs };

  const expectationOf = (step: Step): Expectation | null =>
    step.expects === undefined ? null : options.parseExpects(step.expects);

  const attempt: Performer['attempt'] = async (work: AttemptWork, permit, hooks) => {
    if (!(await takePermit(options.judge, permit, work, hooks.signal))) {
      return failedResult('internal', 'not started: its permit is not for what would be run');
    }
    const script = scriptOf(work.step.action);
    if (script === null) return unsupported(`this version cannot perform ${work.step.action.kind}`);
    if (work.shell !== 'bash') return unsupported(`this version cannot run steps of ${work.shell}`);
    return attemptCommand(script, expectationOf(work.step), work, hooks, tools);
  };

  return {
    judge: (work, signal) => judgeStep(options.judge, work, signal),
    attempt: (work, permit, hooks) =>
      attempt(work, permit, hooks).catch((error: unknown) => failedResult('internal', sentenceOf(error))),
    async recover(work): Promise<Recovered> {
      try {
        return await recoverAttempt(work, expectationOf(work.step), tools);
      } catch (error) {
        return { finding: 'unknown', detail: `how far it came could not be found out: ${sentenceOf(error)}` };
      }
    },
    async release(run, groups) {
      const ends = await Promise.all(groups.map((group) => endGroup(group, { run, ...grace })));
      await endMarked({ run }, grace);
      return groups.filter((_, at): _ is ProcessGroup => ends[at] !== 'absent' && ends[at] !== 'not-ours');
    },
  };
}

const unsupported = (message: string): StepResult => failedResult('unsupported', message);
const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
