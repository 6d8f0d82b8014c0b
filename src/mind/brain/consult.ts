import {
  type Correction,
  type CorrectionState,
  NOT_SURE,
  type Step,
  type StepResult,
  stepState,
} from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import {
  type Advice,
  type ConsultWork,
  type Mind,
  nameFailure,
  repeatOf,
  sessionOf,
} from '../../core/run/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';
import type { Brain, BrainContext, FailedResult, Failure } from './brain.ts';
import { toContextString } from './context/context.ts';
import { generalise } from './memory/generalise.ts';
import type { FixMemory } from './memory/memory.ts';
import { objectionTo } from './objection.ts';

export interface MindOptions {
  /** Asked about each failure: a chain. */
  readonly brain: Brain;
  /** Where fixes that helped are kept: of the workspace first, then those that are used in other folders too. */
  readonly memories?: readonly FixMemory[];
  readonly summarise?: NonNullable<Mind['summarise']>;
}

/** The brains as a run consults them. Never throws. */
export function createMind({ brain, memories = [], summarise }: MindOptions): Mind {
  return {
    async consult(work, calls) {
      try {
        const failure = failureOf(work);
        const troubles: string[] = [];
        const noteTrouble = (sentence: string) => void troubles.push(sentence);
        const context = { ...contextOf(work), noteTrouble };
        const purse = watched(calls.ledger);
        const correction = await brain.analyzeFailure(failure, context, { ...calls, ledger: purse.ledger });
        if (correction === null) return purse.refusal() ?? { correction: null, ...whyNot(troubles) };
        const objection = await objectionTo(correction, failure, work);
        return { correction, ...(objection === null ? {} : { objection }) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { correction: null, message: `the brain broke: ${message}` } satisfies Advice;
      }
    },
    ...(summarise === undefined ? {} : { summarise: (...asked) => summarise(...asked).catch(() => null) }),
    async learn(state, outcome) {
      await remember(memories, state, outcome).catch(() => undefined);
    },
  };
}

const MOST_TOLD = 600;

/** That brains are not sure is one thing; that they could not be asked a person can do something about. */
function whyNot(troubles: readonly string[]): Pick<Advice, 'message'> {
  if (troubles.length === 0) return {};
  const told = [...new Set(troubles)].join('; ').slice(0, MOST_TOLD);
  return { message: `${NOT_SURE}: ${told}` };
}

/** Notes whether a limit kept a model from being asked: then that is why there is no answer. */
function watched(ledger: CallLedger): { ledger: CallLedger; refusal(): Advice | null } {
  let refusal: Advice | null = null;
  const reserve: CallLedger['reserve'] = async (call) => {
    const answer = await ledger.reserve(call);
    if (!answer.ok && answer.why === 'limit') {
      const limit = call.reserved.usd === null ? 'tokens' : 'money';
      refusal = { correction: null, limit, message: answer.message };
    }
    return answer;
  };
  return { ledger: { ...ledger, reserve }, refusal: () => refusal };
}

async function remember(
  memories: readonly FixMemory[],
  { correction, step, result }: CorrectionState,
  outcome: Parameters<Mind['learn']>[1],
): Promise<void> {
  const { fix } = correction;
  if (fix !== undefined) {
    if (outcome === 'other-failure') return;
    for (const memory of memories) await (outcome === 'success' ? memory.succeeded(fix) : memory.failed(fix));
    return;
  }
  // What a person said yes to for its place is nothing for others.
  if (outcome !== 'success' || result === null || correction.doubt !== undefined) return;
  const failure = { step: told(step), result: failed(result), earlier: [], shell: 'bash', goal: '' } as const;
  const general = generalise(failure, correction);
  if (general === null) return;
  // A command that was replaced, and of which only its exit code says that it helped, is nothing for other folders.
  const isProven = correction.modifiedCommand === undefined || general.proof !== undefined;
  for (const memory of isProven ? memories : memories.slice(0, 1)) await memory.remember(general);
}

const told = ({ title, action, expects }: Step): Failure['step'] => ({
  title,
  action,
  ...(expects === undefined ? {} : { expects }),
});

const failed = ({
  exitCode,
  stdoutTail,
  stderrTail,
  why,
  message,
  selfCorrect,
}: StepResult): FailedResult => ({
  exitCode,
  stdoutTail,
  stderrTail,
  ...(why === undefined ? {} : { why }),
  ...(message === undefined ? {} : { message }),
  ...(selfCorrect === undefined ? {} : { selfCorrect }),
});

function failureOf({ state, step, result }: ConsultWork): Failure {
  const earlier = state.corrections
    .filter((known) => known.stepId === step.id && known.status === 'failed')
    .map((known) => ({
      action: printAction(known.step.action),
      stderrTail: known.said,
      correction: known.correction,
    }));
  return {
    step: told(step),
    result: failed(result),
    earlier,
    cwd: sessionOf(state, step).cwd,
    env: { ...state.session.env, ...step.env },
    shell: state.plan!.shell,
    goal: state.plan!.goal,
    groups: [...state.groups, ...state.services.map(({ group }) => group)]
      .filter(({ boot }) => boot === state.driver?.boot)
      .map(({ pgid }) => pgid),
  };
}

function contextOf({ state, step, result }: ConsultWork): BrainContext {
  const failure = nameFailure(result);
  const isRepeat = (correction: Correction): boolean =>
    repeatOf(state, { stepId: step.id, step, failure, correction }) !== undefined;
  const at = state.plan!.steps.findIndex(({ id }) => id === step.id);
  const later = state
    .plan!.steps.slice(at + 1)
    .filter(({ id }) => stepState(state, id)?.status === 'pending')
    .map(({ action }) => printAction(action));
  const refused = state.corrections
    .filter((known) => known.stepId === step.id && known.reason !== null)
    .map(({ correction, reason }) => ({ correction, reason: reason! }));
  const hint = state.hints.findLast((said) => said.stepId === step.id)?.text;
  const mostSteps = state.options!.limits.addedStepsPerCorrection;
  const history = toContextString(state.context);
  return { later, refused, history, mostSteps, isRepeat, ...(hint === undefined ? {} : { hint }) };
}
