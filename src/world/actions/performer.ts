import { type Expectation, isSameHost, type StepResult } from '../../core/contract/index.ts';
import { failedResult, type Performer, type Recovered } from '../../core/run/index.ts';
import { baseEnvironment } from '../process/environment.ts';
import { hostHere } from '../process/identity.ts';
import { endGroup, endMarked, type GroupEnd } from '../process/index.ts';
import { admit, type JudgedLoops, keepJudged } from './judging/admit.ts';
import { type Filling, fillAttempt, fillExpects } from './judging/expand.ts';
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
    sandbox: (work) => sandboxFor(options.sandbox, work),
  };
  const loops: JudgedLoops = new Map();

  const expectationOf = (work: Filling & { item: number | null }): Expectation | null =>
    fillExpects(work, work.item, options.parseExpects);

  return {
    async judge(work, signal) {
      const [judged, warnings = []] = await Promise.all([
        judgeStep(options.judge, work, signal),
        options.precheck?.(work).catch(() => []),
      ]);
      keepJudged(loops, work, judged);
      const verdict = await askWithoutSandbox(judged.verdict, work, options.sandbox);
      const missing = await lacksInSandbox(verdict, work, options.sandbox);
      return {
        verdict,
        subject: judged.subject,
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(missing === null ? {} : { missing }),
      };
    },
    async attempt(work, permit, hooks) {
      try {
        const admitted = await admit(options.judge, loops, permit, work, hooks.signal);
        if (!admitted.ok) return admitted.result;
        const { action } = admitted;
        const { checkpoints } = options;
        const attempt = { expectation: expectationOf(work), work, hooks, checkpoints, tools };
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
        const lost = { expectation: expectationOf(work), work, tools };
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
