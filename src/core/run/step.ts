import {
  type Action,
  type Blocks,
  canonical,
  correctionOf,
  fingerprint,
  isSameHost,
  openRange,
  type PerformedAction,
  planStep,
  type RunState,
  type Session,
  type Step,
  type StepResult,
  type StepState,
  shellText,
  stepState,
} from '../contract/index.ts';
import { isPushAsTold, isSlipOnly } from '../plan/index.ts';
import { normalise } from '../risk/index.ts';
import { issuePermit } from '../stream/index.ts';
import { asJudged } from './as-judged.ts';
import { portsOf } from './loopback.ts';
import { asCorrected } from './purpose.ts';
import { failedResult } from './results.ts';
import type { EndOf, PerformOf, WorkOf } from './work.ts';

/** A step in the world: judged, attempted, and found out about after its driver was lost. */

export const judge: PerformOf<'judge'> = async (run, { performer }, work, context) => {
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

export const attempt: PerformOf<'attempt'> = async (run, { performer }, work, context) => {
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
  return [done(which, item, leavesOwn(result, step, work.state.session), 'driver')];
};

/** A step in a folder of its own leaves the session where it was, and its own variables as they were. */
function leavesOwn(result: StepResult, { cwd, env }: Step, before: Session): StepResult {
  const { session } = result;
  if (session === undefined || (cwd === undefined && env === undefined)) return result;
  const isOwn = ([name]: [string, unknown]) => env !== undefined && Object.hasOwn(env, name);
  const left = Object.entries(session.env).filter((entry) => !isOwn(entry));
  const same = Object.entries(before.env).filter(isOwn);
  return {
    ...result,
    session: {
      ...session,
      ...(cwd === undefined ? {} : { cwd: before.cwd }),
      env: Object.fromEntries([...left, ...same]),
    },
  };
}

const done = (
  which: { stepId: string; attemptIndex: number },
  item: number | null,
  result: StepResult,
  by: 'driver' | 'recovery',
): EndOf<'attempt'> & EndOf<'recover'> =>
  item === null
    ? { ...which, type: 'step-completed', result, by }
    : { ...which, type: 'item-completed', item, result, by };

export const recover: PerformOf<'recover'> = async (run, { performer }, work) => {
  const { stepId, attemptIndex, ...left } = work.state.inFlight!;
  const found = await performer.recover({ ...place(run, work), attemptIndex, ...left });
  const which = { stepId, attemptIndex };
  return found.finding === 'done'
    ? [done(which, left.item, found.result, 'recovery')]
    : [{ type: 'step-interrupted', ...which, finding: found.finding, detail: found.detail, ...away(work) }];
};

/** The host that it was begun on, where the run has gone to another since. */
const away = ({ state: { inFlight, place } }: WorkOf<'recover'>): { host?: string } =>
  inFlight === null || isSameHost(inFlight.host, place.host) ? {} : { host: inFlight.host };

const place = (run: string, { state, step }: { state: RunState; step: WorkOf<'judge'>['step'] }) => ({
  run,
  step,
  session: sessionOf(state, step),
  workspace: state.workspace,
  shell: state.plan!.shell,
  values: state.values,
  items: stepState(state, step.id)?.loop?.items ?? null,
  earlier: earlierOf(state, step),
  loopback: portsOf(state),
  ...licence(state, stepState(state, step.id)),
});

/** The session as this step has it: in its own folder, where it names one. */
export const sessionOf = ({ session }: Pick<RunState, 'session'>, { cwd }: Step): Session =>
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
  const said = correctionOf(state, correction)?.result?.stderrTail ?? '';
  const isAsAgreed =
    agreed !== null && (withoutNumbers(agreed) === withoutNumbers(now) || isMeant(agreed, now, said));
  const seen = state.approvals.some(
    ({ stepId, status, subject }) =>
      stepId === step?.id && status === 'granted' && subject.revision === revision,
  );
  return { grants: wants ?? grants, unseen: correction !== null && !isAsAgreed && !seen };
}

/** What a person agreed to, without the slip of their fingers, or with the upstream that git named for it. */
function isMeant(agreed: Action, now: Action | undefined, said: string): boolean {
  const [was, is] = [shellText(agreed), now === undefined ? null : shellText(now)];
  return was !== null && is !== null && (isSlipOnly(was, is) || isPushAsTold(was, is, said));
}

const withoutNumbers = (action: unknown): string => canonical(action).replace(/\d+/g, '#');
