import {
  type Driver,
  type FactBody,
  hostId,
  type Place,
  type RunEvent,
  type RunState,
} from '../contract/index.ts';
import type { Folder, Machine } from '../stream/index.ts';
import { performRollback, rolledBack, takeCheckpoint } from './checkpoint.ts';
import { released, stoppedServices } from './ends.ts';
import { runKind } from './kind.ts';
import { plannerFacts } from './planner-facts.ts';
import type { RunPorts } from './ports.ts';
import { failedResult } from './results.ts';
import { carry, take } from './source.ts';
import { attempt, judge, recover } from './step.ts';
import { brokenCall, consult, outcomeOf, plan, summarise, toSummarise } from './thinking.ts';
import { type PerformOf, paused, type RunWork } from './work.ts';

export type FactOf<T extends FactBody['type']> = Extract<FactBody, { type: T }>;

export type RunMachine = Machine<RunState, RunEvent, FactBody, RunWork>;

/**
 * The machine of plan runs, over the ports that touch the world and think for it. `differs` says how the driver's
 * environment differs from the run's, with every claim of it; `takes`, that a run which lives elsewhere may be taken up.
 */
export const createRunMachine = (
  run: string,
  driver: Driver,
  ports: RunPorts,
  differs: FactOf<'environment-differs'> | null = null,
  takes = false,
): RunMachine => ({
  ...runKind,
  holds: holder(),
  perform: (work, context) => perform(run, ports, work, context),
  aside: (state) => toSummarise(state, ports.mind),
  waitsForAside: ({ kind }) => kind === 'consult' || kind === 'rollback',
  ends: (facts) => facts.some(({ type }) => type === 'run-finished'),
  crashed,
  claimed: (epoch) => [
    { type: 'driver-claimed', epoch, driver, ...(takes ? { takes } : {}) },
    ...(differs === null ? [] : [differs]),
  ],
  stamp: (body, at) => ({ ...body, v: 1, at }) as RunEvent,
});

/**
 * What needs the folder for itself. The rest neither takes it nor gives it back: a plan is made while others work there, and
 * ending what a run left running waits for nobody.
 */
const needsFolder: Record<RunWork['kind'], boolean> = {
  judge: true,
  checkpoint: true,
  attempt: true,
  rollback: true,
  plan: false,
  consult: false,
  summarise: false,
  learn: false,
  survey: false,
  stop: false,
  release: false,
  recover: false,
  take: false,
};

/** The folder of a place is one object as long as the place is. */
function holder(): RunMachine['holds'] {
  let last: { place: Place; folder: Folder } | null = null;
  return ({ place }, { kind }) => {
    const { host, workspace: path, worktree } = place;
    if (path === '' || !needsFolder[kind]) return 'as-is';
    if (last?.place !== place) last = { place, folder: { host: hostId(host), path, worktree } };
    return last.folder;
  };
}

async function perform(
  ...[run, ports, work, context]: Parameters<PerformOf<RunWork['kind']>>
): Promise<FactBody[]> {
  const { performer, mind, checkpoints, source } = ports;
  switch (work.kind) {
    case 'plan':
      return plan(run, ports, work, context);
    case 'judge':
      return judge(run, ports, work, context);
    case 'attempt':
      return [...(await attempt(run, ports, work, context)), ...(await carry(source, work, context.signal))];
    case 'recover':
      return [...(await recover(run, ports, work, context)), ...(await carry(source, work, context.signal))];
    case 'take':
      return take(run, ports, work, context);
    case 'consult':
      return consult(run, ports, work, context);
    case 'summarise':
      return summarise(run, ports, work, context);
    case 'learn':
      await mind?.learn(work.correction, outcomeOf(work.fact), context.signal);
      return [work.fact];
    case 'survey':
      return [{ type: 'services-surveyed', gone: await performer.survey(run, work.services) }];
    case 'stop': {
      const ended = await performer.endServices(run, work.services, context.epoch);
      return [stoppedServices(work, ended)];
    }
    case 'release':
      return [
        released(
          work,
          await performer.release(run, work.groups, work.services, context.signal, context.epoch),
        ),
      ];
    case 'checkpoint':
      return takeCheckpoint(checkpoints, work, context.signal);
    case 'rollback':
      return performRollback(checkpoints, work, context);
  }
}

/** A performer that broke its word and threw. Nothing is pretended: the attempt failed, or is unknown. */
function crashed(work: RunWork, error: unknown): FactBody[] {
  const message = error instanceof Error ? error.message : String(error);
  switch (work.kind) {
    case 'plan':
      return plannerFacts(work, brokenCall(message));
    case 'judge':
      return [
        {
          type: 'step-failed',
          stepId: work.step.id,
          attemptIndex: work.stepState.attempts,
          title: work.step.title,
          result: failedResult('internal', `it could not be judged: ${message}`),
        },
      ];
    case 'attempt': {
      const which = { stepId: work.step.id, attemptIndex: work.attemptIndex };
      return [{ type: 'step-failed', ...which, result: failedResult('internal', message) }];
    }
    case 'recover': {
      const { stepId, attemptIndex } = work.state.inFlight!;
      return [{ type: 'step-interrupted', stepId, attemptIndex, finding: 'unknown', detail: message }];
    }
    case 'consult':
      return [{ type: 'agent-error', stepId: work.step.id, message: `the brain broke: ${message}` }];
    case 'summarise':
      return [{ type: 'context-summarised', rolled: work.state.context.rolled, text: null }];
    case 'learn':
      return [work.fact];
    case 'survey':
      return [{ type: 'services-surveyed', gone: work.services.map(({ name }) => name) }];
    case 'stop':
      return [stoppedServices(work, [])];
    case 'release':
      return [released(work, [])];
    case 'take':
      return [paused('source-failed', message)];
    case 'checkpoint': {
      const { stepId, attemptIndex, when } = work;
      return [{ type: 'checkpoint-failed', stepId, attemptIndex, when, code: 'internal', message }];
    }
    case 'rollback':
      return rolledBack(work, { restored: 0, left: [], leftCount: 0, message });
  }
}
