import {
  initialRunState,
  judgementOf,
  type RiskLevel,
  type RunEvent,
  type RunState,
  evolve as realEvolve,
  type StepState,
} from '../../src/core/contract/index.ts';
import type { Performer, RunMachine } from '../../src/core/run/index.ts';
import type { Append } from '../../src/core/stream/index.ts';
import type { Mutant } from './world.ts';

/**
 * Bugs that somebody might write. Each is planted into the real machine, driver or store, and the
 * simulator must find it: a simulator that finds no bug proves nothing.
 */

type Next = RunMachine['next'];
type Effect = ReturnType<Next>;

const withNext = (change: (effect: Effect, state: RunState, now: number, next: Next) => Effect) => {
  return (machine: RunMachine): RunMachine => ({
    ...machine,
    next: (state, now) => change(machine.next(state, now), state, now, machine.next),
  });
};

const withAttend = (change: (says: Attention, state: RunState) => Attention) => {
  return (machine: RunMachine): RunMachine => ({
    ...machine,
    attend: (state, work, now) => change(machine.attend(state, work, now), state),
  });
};
type Attention = ReturnType<RunMachine['attend']>;

/** Asks the real `next` about a state that is not quite the true one. */
const blindTo =
  (lie: (state: RunState) => RunState) =>
  (machine: RunMachine): RunMachine => ({
    ...machine,
    next: (state, now) => machine.next(lie(state), now),
    attend: (state, work, now) => machine.attend(lie(state), work, now),
  });

const withEvolve = (after: (state: RunState, event: RunEvent, before: RunState) => RunState) => {
  return (machine: RunMachine): RunMachine => ({
    ...machine,
    evolve: (state, stored) => after(realEvolve(state, stored), stored.event, state),
  });
};

const steps = (state: RunState, change: (step: StepState) => StepState): RunState => ({
  ...state,
  steps: state.steps.map(change),
});

const withAttempt =
  (attempt: (real: Performer) => Performer['attempt']) =>
  (real: Performer): Performer => ({
    ...real,
    attempt: attempt(real),
  });

const withoutEpoch = ({ epoch: _epoch, ...append }: Append<RunEvent>): Append<RunEvent> => append;
const withoutExpectedSeq = ({ expectedSeq: _seq, ...append }: Append<RunEvent>): Append<RunEvent> => append;
let fresh = 0;

/** Takes every judgement of one level for another. */
const judgedAs = (state: RunState, level: RiskLevel, taken: RiskLevel): RunState => ({
  ...state,
  judgements: Object.fromEntries(
    Object.entries(state.judgements).map(([id, judged]) => [
      id,
      judged.verdict.level === level ? { ...judged, verdict: { ...judged.verdict, level: taken } } : judged,
    ]),
  ),
});

export const mutants: Mutant[] = [
  {
    name: 'dangerous steps run without an approval',
    machine: blindTo((state) => judgedAs(state, 'dangerous', 'caution')),
  },
  {
    name: 'the first decision stands, although nothing has begun',
    machine: withNext((effect, state) => {
      const [fact] = effect.kind === 'record' ? effect.facts : [];
      if (fact?.type !== 'approval-denied' || fact.overruled !== true) return effect;
      const answers = state.inbox[0]!.seq;
      const refused = {
        type: 'request-refused',
        answers,
        code: 'already-decided',
        message: 'granted',
      } as const;
      return { kind: 'record', facts: [refused] } as Effect;
    }),
  },
  {
    name: 'blocked steps run',
    machine: blindTo((state) => judgedAs(state, 'blocked', 'safe')),
  },
  {
    name: 'an approval counts for whatever the step has become',
    machine: blindTo((state) => ({
      ...state,
      approvals: state.approvals.map((approval) => {
        const judged = judgementOf(state, approval.stepId);
        const { fingerprint, subject } = judged ?? approval;
        return { ...approval, fingerprint, subject };
      }),
    })),
  },
  {
    name: 'the gate opens although the claim was lost',
    performer: withAttempt(
      (real) => (work, permit, hooks) =>
        real.attempt(work, permit, {
          ...hooks,
          spawned: async (...args) => {
            await hooks.spawned(...args);
            return true;
          },
        }),
    ),
  },
  {
    name: 'the process is let run before it is recorded',
    performer: withAttempt(
      (real) => (work, permit, hooks) => real.attempt(work, permit, { ...hooks, spawned: async () => true }),
    ),
  },
  {
    name: 'recovery takes a started step for one that never started',
    performer: (real) => ({
      ...real,
      recover: async () => ({ finding: 'not-started', detail: 'surely' }),
    }),
  },
  {
    name: 'an interrupted step is simply run again',
    machine: withNext((effect, state) =>
      state.interrupted !== null && effect.kind === 'record' && effect.facts[0]?.type === 'interrupt-asked'
        ? {
            kind: 'record',
            facts: [
              {
                type: 'step-interrupted',
                stepId: state.interrupted.stepId,
                attemptIndex: state.interrupted.attemptIndex,
                finding: 'not-started',
                detail: 'never mind',
              },
            ],
          }
        : effect,
    ),
  },
  { name: 'the store lets old drivers write', append: withoutEpoch },
  { name: 'intents do not look whether somebody wrote first', append: withoutExpectedSeq },
  {
    name: 'an append that is sent again is written again',
    append: (append) => ({ ...append, id: `${append.id}#${++fresh}` }),
  },
  {
    name: 'dependencies are ignored',
    machine: blindTo((state) =>
      state.plan === null
        ? state
        : {
            ...state,
            plan: { ...state.plan, steps: state.plan.steps.map(({ after: _after, ...step }) => step) },
          },
    ),
  },
  {
    name: 'cancel waits for the step to end',
    machine: withAttend((says) =>
      says.kind === 'abort' && says.why === 'cancelled' ? { kind: 'await', until: null } : says,
    ),
  },
  {
    name: 'timeouts are not enforced',
    machine: withAttend((says) =>
      says.kind === 'abort' && says.why === 'timeout' ? { kind: 'await', until: null } : says,
    ),
  },
  {
    name: 'the wall time limit is not looked at between steps',
    machine: blindTo((state) => (state.inFlight === null ? { ...state, activeSince: null } : state)),
  },
  {
    name: 'the wall time limit is looked at between steps only',
    machine: withAttend((says) =>
      says.kind === 'abort' && says.why === 'limit' ? { kind: 'await', until: null } : says,
    ),
  },
  {
    name: 'the time that the run gives each step is overlooked',
    machine: blindTo((state) =>
      state.options === null ? state : { ...state, options: { ...state.options, stepTimeoutMs: null } },
    ),
  },
  {
    name: 'an edit of the step in flight waits for the boundary',
    machine: withAttend((says, { inFlight }) =>
      says.kind === 'record' && inFlight !== null && says.facts[0]?.type === 'request-refused'
        ? { kind: 'await', until: inFlight.deadline }
        : says,
    ),
  },
  {
    name: 'with nobody to ask the run waits all the same',
    machine: blindTo((state) =>
      state.options === null ? state : { ...state, options: { ...state.options, onAsk: 'wait' } },
    ),
  },
  {
    name: 'a request is answered and stays in the inbox',
    machine: withEvolve((state, event, before) =>
      event.type === 'mode-changed' ? { ...state, inbox: before.inbox } : state,
    ),
  },
  {
    name: 'a request is forgotten',
    machine: withEvolve((state, event) =>
      event.type === 'retry-requested' ? { ...state, inbox: state.inbox.slice(0, -1) } : state,
    ),
  },
  {
    name: 'an edit may touch a finished step',
    machine: blindTo((state) =>
      state.inbox[0]?.request.type === 'edit-requested'
        ? steps(state, (step) => (step.status === 'done' ? { ...step, status: 'pending' } : step))
        : state,
    ),
  },
  {
    name: 'teacher mode runs steps by itself',
    machine: blindTo((state) => steps(state, (step) => ({ ...step, accepted: true }))),
  },
  {
    name: 'a pause is overlooked while a step is due',
    machine: blindTo((state) =>
      state.inFlight === null && state.inbox[0]?.request.type === 'pause-requested'
        ? { ...state, inbox: state.inbox.slice(1) }
        : state,
    ),
  },
  {
    name: 'processes that outlived their step are forgotten',
    machine: blindTo((state) => ({ ...state, groups: [], services: [], hasStrays: false })),
  },
  {
    name: 'a resumed driver forgets what was in flight',
    machine: blindTo((state) =>
      state.inFlight !== null && state.inFlight.epoch !== state.epoch ? { ...state, inFlight: null } : state,
    ),
  },
  {
    name: 'a model call that was interrupted is silently sent again',
    machine: blindTo((state) =>
      state.planning?.inFlight && state.planning.inFlight.epoch !== state.epoch
        ? { ...state, planning: { ...state.planning, inFlight: null } }
        : state,
    ),
  },
  {
    name: 'cancel waits for the model to answer',
    machine: blindTo((state) => (state.planning?.inFlight ? { ...state, inbox: [] } : state)),
  },
  {
    name: 'a model has more than three chances',
    machine: withEvolve((state, event, before) =>
      event.type === 'draft-rejected' && state.planning !== null && before.planning !== null
        ? {
            ...state,
            planning: { ...state.planning, position: before.planning.position, strikes: 0 },
          }
        : state,
    ),
  },
  {
    name: 'drafts are asked for without end',
    machine: blindTo((state) =>
      state.planning === null
        ? state
        : { ...state, planning: { ...state.planning, asked: 0, position: { planner: 0, fast: 0 } } },
    ),
  },
  {
    name: 'folding starts from an empty state after a claim',
    machine: withEvolve((state, event) =>
      event.type === 'driver-claimed' && event.epoch > 3
        ? {
            ...initialRunState,
            ...state,
            approvals: [],
            steps: state.steps.map((s) => ({ ...s, attempts: 0 })),
          }
        : state,
    ),
  },
  ...(['retriesPerStep', 'corrections', 'addedSteps', 'addedStepsPerCorrection'] as const).map(
    (limit): Mutant => ({
      name: `nobody looks at the limit ${limit}`,
      machine: blindTo((state) =>
        state.options === null
          ? state
          : { ...state, options: { ...state.options, limits: { ...state.options.limits, [limit]: 1000 } } },
      ),
    }),
  ),
  {
    name: 'failures of repair steps do not count',
    machine: blindTo((state) => {
      const repairs = new Set(state.plan?.steps.filter((step) => step.repairs).map(({ id }) => id));
      return steps(state, (step) => (repairs.has(step.id) ? { ...step, strikes: 0 } : step));
    }),
  },
  {
    name: 'the brain is asked about what a person denied',
    machine: blindTo((state) =>
      steps(state, (step) =>
        step.result?.why === 'denied' ? { ...step, result: { ...step.result, why: 'exit-code' } } : step,
      ),
    ),
  },
  {
    name: 'a person who cancels waits for the brain',
    machine: withAttend((says, state) =>
      says.kind === 'abort' && state.thinking !== null ? { kind: 'await', until: null } : says,
    ),
  },
  {
    name: 'a backoff is not waited for',
    machine: blindTo((state) => steps(state, (step) => ({ ...step, notBefore: null }))),
  },
  {
    name: 'what the sandbox kept from a step is given without asking',
    machine: blindTo((state) =>
      steps(state, (step) => (step.wants === null ? step : { ...step, grants: step.wants, wants: null })),
    ),
  },
  {
    name: 'a refused correction is applied all the same',
    machine: withNext((effect, state, now, next) => {
      const refused = effect.kind === 'record' && effect.facts[0]?.type === 'correction-refused';
      const last = state.corrections.at(-1);
      if (!refused || last?.status !== 'proposed' || last.objection === null) return effect;
      return next({ ...state, corrections: state.corrections.with(-1, { ...last, objection: null }) }, now);
    }),
  },
  {
    name: 'interrupted calls are forgotten',
    machine: withEvolve((state, event) =>
      event.type === 'driver-claimed' ? { ...state, spending: { ...state.spending, open: {} } } : state,
    ),
  },
  {
    name: 'steps that are not safe run without a checkpoint',
    machine: blindTo((state) =>
      state.options === null ? state : { ...state, options: { ...state.options, checkpoints: 'off' } },
    ),
  },
  {
    name: 'a checkpoint of before a pause serves for the step after it',
    machine: blindTo((state) => ({
      ...state,
      ranges: state.ranges.map((range) => ({ ...range, seq: state.seq })),
    })),
  },
  {
    name: 'what a step left is not kept',
    machine: blindTo((state) =>
      state.ranges.at(-1)?.started
        ? {
            ...state,
            ranges: state.ranges.map((range) => ({ ...range, after: range.after ?? range.before })),
          }
        : state,
    ),
  },
  {
    name: 'a rollback that was cut short is taken for done',
    machine: withNext((effect, { rollback, epoch, ended }) =>
      rollback !== null && !rollback.done && rollback.epoch !== epoch && !ended
        ? {
            kind: 'record',
            facts: [{ type: 'run-finished', outcome: 'failed', reason: 'rolled-back' }],
          }
        : effect,
    ),
  },
  {
    name: 'a rollback takes back only the last attempt',
    machine: withNext((effect) =>
      effect.kind === 'perform' && effect.work.kind === 'rollback'
        ? { ...effect, work: { ...effect.work, ranges: effect.work.ranges.slice(-1) } }
        : effect,
    ),
  },
];
