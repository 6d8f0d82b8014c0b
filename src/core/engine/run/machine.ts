import {
  type Driver,
  evolve,
  type FactBody,
  fingerprint,
  initialRunState,
  type ProcessGroup,
  type RunEvent,
  type RunState,
  type StepResult,
  stepState,
} from '../../contract/index.ts';
import type { Machine } from '../drive.ts';
import { issuePermit } from '../gate.ts';
import type { PerformContext, Performer, RunPorts } from '../ports.ts';
import { next } from './next.ts';
import { plannerFacts } from './planner-facts.ts';
import { failedResult } from './results.ts';
import type { RunWork } from './work.ts';

export type RunMachine = Machine<RunState, RunEvent, FactBody, RunWork>;

/** The machine of plan runs, over the ports that touch the world and think for it. */
export const createRunMachine = (run: string, driver: Driver, ports: RunPorts): RunMachine => ({
  initial: initialRunState,
  evolve,
  next,
  perform: (work, context) => perform(run, ports, work, context),
  crashed,
  claimed: (epoch) => ({ type: 'driver-claimed', epoch, driver }),
  stamp: (body, at) => ({ v: 1, at, ...body }) as RunEvent,
});

async function perform(
  run: string,
  ports: RunPorts,
  work: RunWork,
  context: PerformContext,
): Promise<FactBody[]> {
  const { performer } = ports;
  switch (work.kind) {
    case 'plan':
      return plan(run, ports, work, context);
    case 'judge':
      return judge(run, performer, work, context);
    case 'attempt':
      return attempt(run, performer, work, context);
    case 'recover':
      return recover(run, performer, work);
    case 'survey':
      return [{ type: 'services-surveyed', gone: await performer.survey(run, work.services) }];
    case 'release':
      return [released(work, await performer.release(run, work.groups, work.services))];
  }
}

async function plan(
  run: string,
  { planner }: RunPorts,
  work: WorkOf<'plan'>,
  { signal }: PerformContext,
): Promise<FactBody[]> {
  const { call, n, model, state } = work;
  const { workspace, options, planning, steps } = state;
  const before = state.plan === null ? null : { plan: state.plan, steps };
  const asked = { run, call, n, model, workspace, options: options!, planning: planning!, before };
  const answer = await planner?.perform(asked, { signal });
  return plannerFacts(work, answer ?? brokenCall('there is no planner here'));
}

const brokenCall = (message: string) => ({ kind: 'failed', why: 'error', message, durationMs: 0 }) as const;

const released = ({ services }: WorkOf<'release'>, groups: ProcessGroup[]): FactBody => ({
  type: 'processes-released',
  groups,
  services: services.map(({ name }) => name),
});

type WorkOf<K extends RunWork['kind']> = Extract<RunWork, { kind: K }>;

const place = (run: string, { state, step }: { state: RunState; step: WorkOf<'judge'>['step'] }) => ({
  run,
  step,
  session: state.session,
  workspace: state.workspace,
  shell: state.plan!.shell,
  values: state.values,
  items: stepState(state, step.id)?.loop?.items ?? null,
  grants: stepState(state, step.id)?.grants ?? null,
});

async function judge(
  run: string,
  performer: Performer,
  work: WorkOf<'judge'>,
  context: PerformContext,
): Promise<FactBody[]> {
  const asked = { ...place(run, work), revision: work.stepState.revision };
  const { verdict, subject } = await performer.judge(asked, context.signal);
  return [{ type: 'step-judged', verdict, subject, fingerprint: fingerprint(subject) }];
}

async function attempt(
  run: string,
  performer: Performer,
  work: WorkOf<'attempt'>,
  context: PerformContext,
): Promise<FactBody[]> {
  const { step, attemptIndex, item, judged } = work;
  const which = { stepId: step.id, attemptIndex };
  const pass = issuePermit(work.state, work.stepState);
  if ('refused' in pass) {
    return [
      { type: 'step-failed', ...which, result: failedResult('internal', `no permit: ${pass.refused}`) },
    ];
  }
  const { revision } = work.stepState;
  const { services } = work.state;
  const asked = { ...place(run, work), revision, attemptIndex, item, judged, services };
  const result = await performer.attempt(asked, pass.permit, {
    signal: context.signal,
    spawned: (group, heldBefore) =>
      context.record([{ type: 'process-spawned', ...which, group, heldBefore }]),
    prepared: (changes) => context.record([{ type: 'change-prepared', ...which, changes }]),
  });
  return [
    result.why === undefined
      ? done(which, item, result, 'driver')
      : { type: 'step-failed', ...which, result },
  ];
}

const done = (
  which: { stepId: string; attemptIndex: number },
  item: number | null,
  result: StepResult,
  by: 'driver' | 'recovery',
): FactBody =>
  item === null
    ? { type: 'step-completed', ...which, result, by }
    : { type: 'item-completed', ...which, item, result, by };

async function recover(run: string, performer: Performer, work: WorkOf<'recover'>): Promise<FactBody[]> {
  const { stepId, attemptIndex, ...left } = work.state.inFlight!;
  const found = await performer.recover({ ...place(run, work), attemptIndex, ...left });
  const which = { stepId, attemptIndex };
  return found.finding === 'done'
    ? [done(which, left.item, found.result, 'recovery')]
    : [{ type: 'step-interrupted', ...which, finding: found.finding, detail: found.detail }];
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
    case 'survey':
      return [{ type: 'services-surveyed', gone: work.services.map(({ name }) => name) }];
    case 'release':
      return [released(work, [])];
  }
}
