import { type Expectation, isSameHost, type StepResult } from '../../core/contract/index.ts';
import { atLeast } from '../../core/risk/index.ts';
import { failedResult, type JudgeWork, type Performer, type Recovered } from '../../core/run/index.ts';
import { baseEnvironment } from '../process/environment.ts';
import { hostHere } from '../process/identity.ts';
import { endGroup, endMarked, expectCommand, type GroupEnd } from '../process/index.ts';
import { admit, type JudgedLoops, type JudgedWork, keepJudged } from './judging/admit.ts';
import { dressed, type Filling, fillAttempt, fillExpects } from './judging/expand.ts';
import { judgeStep } from './judging/judge-step.ts';
import { performanceOf } from './performances.ts';
import type { PerformerOptions } from './ports.ts';
import { sentenceOf } from './results.ts';
import { sandboxFor } from './sandboxing.ts';
import { endService } from './services/stop.ts';
import { surveyServices } from './services/survey.ts';
import type { Tools } from './tools.ts';
import { askWithoutSandbox, lacksInSandbox } from './unseen.ts';

/** Performs the steps of plan runs in the real world. Nothing of it throws: what went wrong is in the answer. */
export function createPerformer(options: PerformerOptions): Performer {
  const tools: Tools = {
    output: options.output,
    baseEnv: baseEnvironment(options.baseEnv),
    clock: options.clock,
    filterSecrets: options.filterSecrets,
    grace: options.graceMs === undefined ? {} : { graceMs: options.graceMs },
    terminal: options.terminal,
    mcp: options.mcp,
    sandbox: (work) => sandboxFor(options.sandbox, work),
  };
  const loops: JudgedLoops = new Map();
  let last: JudgedWork | null = null;

  const expectationOf = (work: Filling & { item: number | null }): Expectation | null =>
    fillExpects(work, work.item, options.parseExpects);

  /** Whose attempts are made here, under which claim: the next one is probably another of theirs. */
  let driven: { run: string; epoch: number } | null = null;
  const expectAttempt = (work: JudgeWork): void => {
    const { run, step, shell } = work;
    const { kind } = step.action;
    const isCommand = (kind === 'run-command' || kind === 'run-script') && step.interactive !== true;
    if (driven?.run !== run || !isCommand || tools.sandbox(work) !== null) return;
    const marker = { run, step: step.id, epoch: driven.epoch };
    expectCommand({ shell, baseEnv: tools.baseEnv, session: dressed(work, null).session, marker });
  };

  return {
    async judge(work, signal) {
      const [judged, warnings = []] = await Promise.all([
        judgeStep(options.judge, work, signal),
        options.precheck?.(dressed(work, null)).catch(() => []),
      ]);
      keepJudged(loops, work, judged);
      last = { work, judged };
      const verdict = await askWithoutSandbox(judged.verdict, work, options.sandbox);
      const missing = await lacksInSandbox(verdict, work, options.sandbox);
      if (!atLeast(verdict.level, 'dangerous')) expectAttempt(work);
      return {
        verdict,
        subject: judged.subject,
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(missing === null ? {} : { missing }),
      };
    },
    async attempt(work, permit, hooks) {
      driven = { run: work.run, epoch: work.epoch };
      try {
        const known = { loops, last };
        last = null;
        const admitted = await admit(options.judge, known, permit, work, hooks.signal);
        if (!admitted.ok) return admitted.result;
        const { action } = admitted;
        const { checkpoints } = options;
        const attempt = {
          expectation: expectationOf(work),
          work: dressed(work, work.item),
          hooks,
          checkpoints,
          tools,
        };
        const result = await performanceOf(action).perform(action, attempt);
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
        const { action } = filled;
        const lost = { expectation: expectationOf(work), work: dressed(work, work.item), tools };
        const found = await performanceOf(action).recover(action, lost);
        return found.finding === 'done' && work.item !== null
          ? { finding: 'done', result: withoutSession(found.result) }
          : found;
      } catch (error) {
        return { finding: 'unknown', detail: `how far it came could not be found out: ${sentenceOf(error)}` };
      }
    },
    async release(run, groups, services, signal, epoch) {
      const endAll = async (grace: typeof tools.grace) => {
        const ends = await Promise.all(groups.map((group) => endGroup(group, { run, ...grace })));
        const ending = services.filter(({ keep }) => !keep);
        await Promise.all(ending.map((service) => endService({ run, epoch }, service, { ...tools, grace })));
        await endMarked({ run, epoch }, grace);
        return ends;
      };
      const hurry = onceAborted(signal, () => endAll({ graceMs: 0 }));
      const ends = await endAll(tools.grace);
      await hurry();
      const wasThere: (GroupEnd | undefined)[] = ['ended', 'killed', 'stuck'];
      return groups.filter((_, at) => wasThere.includes(ends[at]));
    },
    async endServices(run, services, epoch) {
      const ends = await Promise.all(services.map((service) => endService({ run, epoch }, service, tools)));
      return services
        .filter((_, at) => ends[at] !== 'stuck' && ends[at] !== 'elsewhere')
        .map(({ name }) => name);
    },
    survey: async (run, services) => surveyServices(run, services, tools),
  };
}

/** Every item of a loop begins where the loop began. */
const withoutSession = ({ session: _, ...result }: StepResult): StepResult => result;

/** Whether it still runs, and what it did there, cannot be seen from here. */
const beganElsewhere = (host: string): Recovered => ({
  finding: 'unknown',
  detail: `it was begun on host ${host}, and how far it came cannot be seen from here`,
});

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
