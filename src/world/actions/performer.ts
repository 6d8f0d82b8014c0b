import {
  type Expectation,
  isSameHost,
  type SingleAction,
  type StepResult,
} from '../../core/contract/index.ts';
import {
  type AttemptHooks,
  type AttemptWork,
  failedResult,
  type Performer,
  type Recovered,
  type RecoverWork,
} from '../../core/run/index.ts';
import { baseEnvironment, endGroup, endMarked, type GroupEnd, hostHere } from '../process/index.ts';
import { attemptCommand } from './attempt-command.ts';
import { attemptFile } from './files/attempt-file.ts';
import { recoverFile } from './files/recover-file.ts';
import { isFileAction } from './files/resolve.ts';
import { admit, type JudgedLoops, keepJudged } from './judging/admit.ts';
import { type Filling, fillAttempt, fillExpects } from './judging/expand.ts';
import { judgeStep } from './judging/judge-step.ts';
import type { PerformerOptions } from './ports.ts';
import { recoverAttempt } from './recover.ts';
import { attemptRestore } from './restore.ts';
import { recoverStart, recoverStop } from './services/recover-service.ts';
import { attemptStart } from './services/start.ts';
import { attemptStop, endService } from './services/stop.ts';
import { surveyServices } from './services/survey.ts';
import type { Tools } from './tools.ts';

/** Performs the steps of plan runs in the real world. Nothing of it throws: what went wrong is in the answer. */
export function createPerformer(options: PerformerOptions): Performer {
  const tools: Tools = {
    output: options.output,
    baseEnv: baseEnvironment(options.baseEnv),
    clock: options.clock,
    filterSecrets: options.filterSecrets,
    grace: options.graceMs === undefined ? {} : { graceMs: options.graceMs },
    terminal: options.terminal,
    sandbox: options.sandbox,
  };
  const loops: JudgedLoops = new Map();

  const expectationOf = (work: Filling & { item: number | null }): Expectation | null =>
    fillExpects(work, work.item, options.parseExpects);

  const perform = (action: SingleAction, work: AttemptWork, hooks: AttemptHooks): Promise<StepResult> => {
    const expectation = expectationOf(work);
    if (isFileAction(action)) return attemptFile(action, expectation, work, hooks, tools);
    switch (action.kind) {
      case 'run-command':
      case 'run-script': {
        const script = action.kind === 'run-command' ? action.command : action.script;
        return attemptCommand(script, expectation, work, hooks, tools);
      }
      case 'start':
        return attemptStart(action, expectation, work, hooks, tools);
      case 'restore':
        return attemptRestore(action, work, hooks, options.checkpoints, tools);
      case 'stop':
        return attemptStop(action, expectation, work, hooks.signal, tools);
      default:
        return unsupported(`this version cannot perform ${action.kind}`);
    }
  };

  const recover = (action: SingleAction, work: RecoverWork): Promise<Recovered> => {
    const expectation = expectationOf(work);
    if (isFileAction(action)) return recoverFile(action, expectation, work, tools);
    if (action.kind === 'start') return recoverStart(action, expectation, work, tools);
    if (action.kind === 'stop') return Promise.resolve(recoverStop(action, work));
    if (action.kind === 'restore') return Promise.resolve(interrupted);
    return recoverAttempt(work, expectation, tools);
  };

  return {
    async judge(work, signal) {
      const judged = await judgeStep(options.judge, work, signal);
      keepJudged(loops, work, judged);
      return { verdict: judged.verdict, subject: judged.subject };
    },
    async attempt(work, permit, hooks) {
      try {
        const admitted = await admit(options.judge, loops, permit, work, hooks.signal);
        if (!admitted.ok) return admitted.result;
        const result = await perform(admitted.action, work, hooks);
        return work.item === null ? result : withoutSession(result);
      } catch (error) {
        return failedResult('internal', sentenceOf(error));
      }
    },
    async recover(work) {
      try {
        if (!isSameHost(work.host, hostHere())) return beganElsewhere(work.host);
        const filled = fillAttempt(work, work.item);
        if (!filled.ok) return { finding: 'unknown', detail: filled.sentence };
        const found = await recover(filled.action, work);
        return found.finding === 'done' && work.item !== null
          ? { finding: 'done', result: withoutSession(found.result) }
          : found;
      } catch (error) {
        return { finding: 'unknown', detail: `how far it came could not be found out: ${sentenceOf(error)}` };
      }
    },
    async release(run, groups, services, signal) {
      const endAll = async (grace: typeof tools.grace) => {
        const ends = await Promise.all(groups.map((group) => endGroup(group, { run, ...grace })));
        const ending = services.filter(({ keep }) => !keep);
        await Promise.all(ending.map((service) => endService(run, service, { ...tools, grace })));
        await endMarked({ run }, grace);
        return ends;
      };
      const hurry = onceAborted(signal, () => endAll({ graceMs: 0 }));
      const ends = await endAll(tools.grace);
      await hurry();
      const wasThere: (GroupEnd | undefined)[] = ['ended', 'killed', 'stuck'];
      return groups.filter((_, at) => wasThere.includes(ends[at]));
    },
    async survey(run, services) {
      return surveyServices(run, services, tools);
    },
  };
}

/** Every item of a loop begins where the loop began. */
function withoutSession({ session: _, ...result }: StepResult): StepResult {
  return result;
}

/** Whether it still runs, and what it did there, cannot be seen from here. */
const beganElsewhere = (host: string): Recovered => ({
  finding: 'unknown',
  detail: `it was begun on host ${host}, and how far it came cannot be seen from here`,
});

/** To put back what is back already changes nothing: it simply goes on. */
const interrupted: Recovered = {
  finding: 'not-started',
  detail: 'it was not through, and goes on where it was',
};

const unsupported = async (message: string): Promise<StepResult> => failedResult('unsupported', message);
const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Begins the work when the signal aborts; what it gives back waits for work that was begun. */
function onceAborted(signal: AbortSignal, work: () => Promise<unknown>): () => Promise<unknown> {
  let begun: Promise<unknown> = Promise.resolve();
  const begin = () => {
    begun = work();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    return begun;
  };
}
