import type { Expectation, ProcessGroup, SimpleAction, StepResult } from '../../core/contract/index.ts';
import { type AttemptWork, failedResult, type Performer, type Recovered } from '../../core/engine/index.ts';
import { baseEnvironment, endGroup, endMarked, inspectGroup } from '../process/index.ts';
import { attemptCommand, type CommandTools } from './attempt-command.ts';
import { admit, type JudgedLoops, keepJudged } from './judging/admit.ts';
import { type Filling, fillExpects } from './judging/expand.ts';
import { judgeStep } from './judging/judge-step.ts';
import type { PerformerOptions } from './ports.ts';
import { recoverAttempt } from './recover.ts';

/** What a shell is given to run for this action; null for actions that are not a shell's. */
function scriptOf(action: SimpleAction): string | null {
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

  const loops: JudgedLoops = new Map();

  const expectationOf = (work: Filling & { item: number | null }): Expectation | null =>
    fillExpects(work, work.item, options.parseExpects);

  const attempt: Performer['attempt'] = async (work: AttemptWork, permit, hooks) => {
    const admitted = await admit(options.judge, loops, permit, work, hooks.signal);
    if (!admitted.ok) return admitted.result;
    const { action } = admitted;
    const script = scriptOf(action);
    if (script === null) return unsupported(`this version cannot perform ${action.kind}`);
    if (work.shell !== 'bash') return unsupported(`this version cannot run steps of ${work.shell}`);
    return attemptCommand(script, expectationOf(work), work, hooks, tools);
  };

  return {
    async judge(work, signal) {
      const judged = await judgeStep(options.judge, work, signal);
      keepJudged(loops, work, judged);
      return { verdict: judged.verdict, subject: judged.subject };
    },
    attempt: (work, permit, hooks) =>
      attempt(work, permit, hooks).catch((error: unknown) => failedResult('internal', sentenceOf(error))),
    async recover(work): Promise<Recovered> {
      try {
        return await recoverAttempt(work, expectationOf(work), tools);
      } catch (error) {
        return { finding: 'unknown', detail: `how far it came could not be found out: ${sentenceOf(error)}` };
      }
    },
    async release(run, groups, services) {
      const ends = await Promise.all(groups.map((group) => endGroup(group, { run, ...grace })));
      await endMarked({ run }, grace);
      void services;
      return groups.filter((_, at): _ is ProcessGroup => ends[at] !== 'absent' && ends[at] !== 'not-ours');
    },
    async survey(run, services) {
      return services.filter(({ group }) => inspectGroup(group, run) !== 'ours').map(({ name }) => name);
    },
  };
}

const unsupported = (message: string): StepResult => failedResult('unsupported', message);
const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
