import {
  type Action,
  type Blocks,
  canonical,
  type Driver,
  dueForSummary,
  type FactBody,
  fingerprint,
  hostId,
  NOT_SURE,
  openRange,
  type PerformedAction,
  type Place,
  planStep,
  type RunEvent,
  type RunState,
  type Session,
  type Step,
  type StepResult,
  type StepState,
  shellText,
  stepState,
} from '../contract/index.ts';
import { isSlipOnly } from '../plan/index.ts';
import { normalise } from '../risk/index.ts';
import {
  createLedger,
  type Folder,
  issuePermit,
  type Machine,
  type PerformContext,
} from '../stream/index.ts';
import { asJudged } from './as-judged.ts';
import { performRollback, rolledBack, takeCheckpoint } from './checkpoint.ts';
import { released, spentUp, stoppedServices } from './ends.ts';
import { runKind } from './kind.ts';
import { nameFailure, unanswered } from './mend.ts';
import { hopsOf, isLastHope, plannerFacts } from './planner-facts.ts';
import type { Advice, Mind, RunPorts } from './ports.ts';
import { asCorrected } from './purpose.ts';
import { failedResult } from './results.ts';
import { timeLimit } from './time.ts';
import type { EndOf, RunWork, WorkOf } from './work.ts';

export type RunMachine = Machine<RunState, RunEvent, FactBody, RunWork>;

/**
 * The machine of plan runs, over the ports that touch the world and think for it. `differs` says how the driver's
 * environment differs from the run's, with every claim of it.
 */
export const createRunMachine = (
  run: string,
  driver: Driver,
  ports: RunPorts,
  differs: FactOf<'environment-differs'> | null = null,
): RunMachine => ({
  ...runKind,
  holds: holder(),
  perform: (work, context) => perform(run, ports, work, context),
  aside: (state) => toSummarise(state, ports.mind),
  waitsForAside: ({ kind }) => kind === 'consult' || kind === 'rollback',
  ends: (facts) => facts.some(({ type }) => type === 'run-finished'),
  crashed,
  claimed: (epoch) => [{ type: 'driver-claimed', epoch, driver }, ...(differs === null ? [] : [differs])],
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

type Performing<K extends RunWork['kind']> = (
  run: string,
  ports: RunPorts,
  work: WorkOf<K>,
  context: PerformContext<FactBody>,
) => Promise<EndOf<K>[]>;

async function perform(
  ...[run, ports, work, context]: Parameters<Performing<RunWork['kind']>>
): Promise<FactBody[]> {
  const { performer, mind, checkpoints } = ports;
  switch (work.kind) {
    case 'plan':
      return plan(run, ports, work, context);
    case 'judge':
      return judge(run, ports, work, context);
    case 'attempt':
      return attempt(run, ports, work, context);
    case 'recover':
      return recover(run, ports, work, context);
    case 'consult':
      return consult(run, ports, work, context);
    case 'summarise':
      return summarise(run, mind, work, context);
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

const plan: Performing<'plan'> = async (run, { planner }, work, context) => {
  const { signal } = context;
  const { call, n, model, state } = work;
  const { workspace, options, planning, steps } = state;
  const before = state.plan === null ? null : { plan: state.plan, steps };
  const asked = { run, call, n, model, workspace, options: options!, planning: planning!, before };
  const ledger = ledgerFor(run, state, context, isLastHope(work));
  const answer = await planner?.perform(asked, { signal, ledger });
  const facts = plannerFacts(work, answer ?? brokenCall('there is no planner here'));
  for (const hop of hopsOf(work, facts)) await ledger.fellBack(hop);
  return facts;
};

/** Where nobody is there to be asked, whatever can only be waited for is waited for: until the run's time is up. */
function ledgerFor(run: string, state: RunState, context: PerformContext<FactBody>, waits: boolean) {
  const options = state.options!;
  const { money, tokens } = options.limits;
  const patience =
    waits && options.onAsk !== 'wait' ? { patience: { until: timeLimit(state, options) } } : {};
  return createLedger({
    ...context,
    stream: run,
    spending: state.spending,
    limits: { money, tokens },
    ...patience,
  });
}

const brokenCall = (message: string) => ({ kind: 'failed', why: 'error', message, durationMs: 0 }) as const;

export type FactOf<T extends FactBody['type']> = Extract<FactBody, { type: T }>;

const place = (run: string, { state, step }: { state: RunState; step: WorkOf<'judge'>['step'] }) => ({
  run,
  step,
  session: sessionOf(state, step),
  workspace: state.workspace,
  shell: state.plan!.shell,
  values: state.values,
  items: stepState(state, step.id)?.loop?.items ?? null,
  earlier: earlierOf(state, step),
  ...licence(state, stepState(state, step.id)),
});

/** The session as this step has it: in its own folder, where it names one. */
const sessionOf = ({ session }: RunState, { cwd }: Step): Session =>
  cwd === undefined
    ? session
    : { ...session, cwd: normalise(cwd.startsWith('/') ? cwd : `${session.cwd}/${cwd}`) };

/** What was begun before it. What it did itself, as it is now, was judged as its own. */
function earlierOf(state: RunState, { id }: Step): Blocks<PerformedAction> {
  const { performed } = state;
  const { revision, attempts = 0 } = stepState(state, id) ?? {};
  if (attempts === 0) return performed;
  const isOwn = (one: PerformedAction) => one.stepId === id && one.revision === revision;
  return performed.map((block) => (block.some(isOwn) ? block.filter((one) => !isOwn(one)) : block));
}

/** What it may do, and whether anybody has seen it. Another number in what was agreed on is nothing new. */
function licence(state: RunState, step: StepState | undefined) {
  const { grants = null, wants = null, correction = null, agreed = null, revision } = step ?? {};
  const now = step && planStep(state, step.id)?.action;
  const isAsAgreed =
    agreed !== null && (withoutNumbers(agreed) === withoutNumbers(now) || isMeant(agreed, now));
  const seen = state.approvals.some(
    ({ stepId, status, subject }) =>
      stepId === step?.id && status === 'granted' && subject.revision === revision,
  );
  return { grants: wants ?? grants, unseen: correction !== null && !isAsAgreed && !seen };
}

/** What a person agreed to, without the slip of their fingers. */
function isMeant(agreed: Action, now: Action | undefined): boolean {
  const [was, is] = [shellText(agreed), now === undefined ? null : shellText(now)];
  return was !== null && is !== null && isSlipOnly(was, is);
}

const withoutNumbers = (action: unknown): string => canonical(action).replace(/\d+/g, '#');

const judge: Performing<'judge'> = async (run, { performer }, work, context) => {
  const asked = { ...place(run, work), revision: work.stepState.revision };
  const judged = await performer.judge(asked, context.signal);
  const { subject, warnings = [], missing } = judged;
  const verdict = asCorrected(judged.verdict, work.state, work.step, work.stepState);
  const told = {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(missing === undefined ? {} : { missing }),
  };
  return [{ type: 'step-judged', verdict, subject, fingerprint: fingerprint(subject), ...told }];
};

const attempt: Performing<'attempt'> = async (run, { performer }, work, context) => {
  const { step, attemptIndex, item, judged } = work;
  const which = { stepId: step.id, attemptIndex };
  const pass = issuePermit(asJudged(work.state, work.stepState), work.state.approvals);
  if ('refused' in pass) {
    return [
      { type: 'step-failed', ...which, result: failedResult('internal', `no permit: ${pass.refused}`) },
    ];
  }
  const { revision } = work.stepState;
  const { services } = work.state;
  const open = openRange(work.state);
  const isRestore = open?.stepId === step.id && step.action.kind === 'restore';
  const begun = isRestore ? open.before : null;
  const late = isRestore && open.epoch !== work.state.epoch ? ({ late: true } as const) : {};
  const { epoch } = context;
  const asked = { ...place(run, work), epoch, revision, attemptIndex, item, judged, services, begun };
  const result = await performer.attempt(asked, pass.permit, {
    signal: context.signal,
    spawned: (group, heldBefore) =>
      context.record([{ type: 'process-spawned', ...which, group, heldBefore }], { ofThisBoot: true }),
    listening: (ports) => context.record([{ type: 'step-listens', ...which, ports }]),
    prepared: (changes) => context.record([{ type: 'change-prepared', ...which, changes }]),
    checkpointed: (when, checkpoint) =>
      context.record([
        { type: 'checkpoint-taken', ...which, when, checkpoint, ...(when === 'after' ? late : {}) },
      ]),
  });
  if (result.why !== undefined) return [{ type: 'step-failed', ...which, result }];
  return [done(which, item, leaveFolder(result, step, work.state.session), 'driver')];
};

/** A step in a folder of its own leaves the session where it was. */
const leaveFolder = (result: StepResult, { cwd }: Step, { cwd: before }: Session): StepResult =>
  cwd === undefined || result.session === undefined
    ? result
    : { ...result, session: { ...result.session, cwd: before } };

const consult: Performing<'consult'> = async (run, { mind }, work, context) => {
  const { state, step, stepState, attemptIndex } = work;
  const result = stepState.result!;
  const nobody: Advice = { correction: null, message: 'there is no brain to ask' };
  const { signal } = context;
  const { money, tokens } = state.options!.limits;
  const ledger = ledgerFor(run, state, context, true);
  const advice =
    (await mind?.consult({ run, state, step, result, attemptIndex }, { signal, ledger })) ?? nobody;
  if (signal.aborted) return [{ type: 'agent-error', stepId: step.id, message: 'the brain was stopped' }];
  const { correction, objection, message, limit } = advice;
  if (limit !== undefined) return [spentUp(step.id, limit, ledger.spending(), { money, tokens }, message)];
  if (correction === null) return unanswered(state, stepState, message ?? NOT_SURE);
  return [
    {
      type: 'correction-attempt',
      stepId: step.id,
      attemptIndex,
      correctionId: `c${state.corrections.length + 1}`,
      correction,
      failure: nameFailure(result),
      ...(objection === undefined ? {} : { objection }),
    },
  ];
};

/** The oldest of what happened is rolled up while the run goes on, where a model may be asked. */
/** Of a run that has ended nobody needs one, though a service that it kept may still have to be ended. */
const toSummarise = (state: RunState, mind: Mind | undefined): RunWork | null =>
  mind?.summarise !== undefined &&
  !state.ended &&
  state.options?.mode === 'agentic' &&
  dueForSummary(state.context) !== null
    ? { kind: 'summarise', state }
    : null;

const summarise = async (
  run: string,
  mind: Mind | undefined,
  { state }: WorkOf<'summarise'>,
  performing: PerformContext<FactBody>,
): Promise<EndOf<'summarise'>[]> => {
  const { signal } = performing;
  const { context } = state;
  const ledger = ledgerFor(run, state, performing, false);
  const oldest = dueForSummary(context) ?? [];
  const text = (await mind?.summarise?.(context, oldest, { signal, ledger })) ?? null;
  // A limit or a stop says nothing of whether it can be done.
  if (text === null && (signal.aborted || ledger.limitReached() !== null)) return [];
  return [{ type: 'context-summarised', rolled: context.rolled, text }];
};

const outcomeOf = (fact: WorkOf<'learn'>['fact']): Parameters<Mind['learn']>[1] => {
  if (fact.type === 'correction-success') return 'success';
  return fact.sameFailure ? 'same-failure' : 'other-failure';
};

const done = (
  which: { stepId: string; attemptIndex: number },
  item: number | null,
  result: StepResult,
  by: 'driver' | 'recovery',
): EndOf<'attempt'> & EndOf<'recover'> =>
  item === null
    ? { ...which, type: 'step-completed', result, by }
    : { ...which, type: 'item-completed', item, result, by };

const recover: Performing<'recover'> = async (run, { performer }, work) => {
  const { stepId, attemptIndex, ...left } = work.state.inFlight!;
  const found = await performer.recover({ ...place(run, work), attemptIndex, ...left });
  const which = { stepId, attemptIndex };
  return found.finding === 'done'
    ? [done(which, left.item, found.result, 'recovery')]
    : [{ type: 'step-interrupted', ...which, finding: found.finding, detail: found.detail }];
};

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
    case 'checkpoint': {
      const { stepId, attemptIndex, when } = work;
      return [{ type: 'checkpoint-failed', stepId, attemptIndex, when, code: 'internal', message }];
    }
    case 'rollback':
      return rolledBack(work, { restored: 0, left: [], leftCount: 0, message });
  }
}
