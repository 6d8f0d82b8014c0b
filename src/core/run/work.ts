import type {
  CorrectionState,
  FactBody,
  ModelName,
  PlannerCall,
  ProcessGroup,
  RunState,
  ServiceState,
  Step,
  StepJudgement,
  StepState,
  StopReason,
} from '../contract/index.ts';
import type { Effect, PerformContext, RestReason } from '../stream/index.ts';
import type { RestoreRange, RunPorts } from './ports.ts';

export type CheckpointWork = {
  kind: 'checkpoint';
  state: RunState;
  when: 'before' | 'after';
  stepId: string;
  attemptIndex: number;
  late: boolean;
  /** The cancels that were known when it was decided on: only another one ends it. */
  heard: readonly number[];
};

export type RollbackWork = { kind: 'rollback'; state: RunState; ranges: RestoreRange[]; stepId: string };

/** The work of a plan run. Each carries the state it was decided on, so that the gate judges by the same facts. */
export type RunWork =
  | { kind: 'judge'; state: RunState; step: Step; stepState: StepState }
  | {
      kind: 'attempt';
      state: RunState;
      step: Step;
      stepState: StepState;
      judged: StepJudgement;
      attemptIndex: number;
      item: number | null;
    }
  | { kind: 'recover'; state: RunState; step: Step }
  | { kind: 'consult'; state: RunState; step: Step; stepState: StepState; attemptIndex: number }
  | {
      kind: 'learn';
      heard: readonly number[];
      correction: CorrectionState;
      fact: Extract<FactBody, { type: 'correction-success' | 'correction-failed' }>;
    }
  /** Beside other work: the oldest of what the rolling context holds is rolled up. */
  | { kind: 'summarise'; state: RunState }
  | { kind: 'plan'; call: PlannerCall; n: number; model: ModelName; state: RunState }
  | { kind: 'survey'; services: ServiceState[] }
  /** Services that somebody wants ended. */
  | { kind: 'stop'; services: ServiceState[]; answers: number }
  | { kind: 'release'; heard: readonly number[]; groups: ProcessGroup[]; services: ServiceState[] }
  /** This machine gets the run's folder from its git source, with what was carried. */
  | { kind: 'take'; state: RunState; heard: readonly number[] }
  | CheckpointWork
  | RollbackWork;

export type WorkOf<K extends RunWork['kind']> = Extract<RunWork, { kind: K }>;

type FactType = FactBody['type'];

/** What each kind of work may end in, and what that brings with it in the same append. */
export const endsOf = {
  judge: { 'step-judged': [], 'step-failed': [] },
  attempt: {
    'step-completed': ['work-carried'],
    'item-completed': ['work-carried'],
    'step-failed': ['work-carried'],
  },
  recover: {
    'step-completed': ['work-carried'],
    'item-completed': ['work-carried'],
    'step-interrupted': ['work-carried'],
  },
  take: { 'place-taken': [], 'run-paused': [] },
  consult: {
    'correction-attempt': [],
    'correction-failed': ['step-skipped', 'plan-revised'],
    'precheck-overruled': [],
    'agent-stuck': [],
    'agent-error': [],
  },
  summarise: { 'context-summarised': [] },
  learn: { 'correction-success': [], 'correction-failed': [] },
  plan: {
    'planner-call-failed': [],
    'goal-restated': [],
    'hints-given': [],
    'draft-received': [
      'draft-unreadable',
      'draft-repaired',
      'draft-rejected',
      'planning-question',
      'plan-proposed',
      'plan-created',
      'plan-revised',
    ],
  },
  survey: { 'services-surveyed': [] },
  stop: { 'services-stopped': [] },
  release: { 'processes-released': [] },
  checkpoint: { 'checkpoint-taken': [], 'checkpoint-failed': [] },
  rollback: { 'rolled-back': ['run-finished'] },
} as const satisfies Record<RunWork['kind'], { readonly [T in FactType]?: readonly FactType[] }>;

type Ends<K extends RunWork['kind']> = (typeof endsOf)[K];

/** The facts that such work may come to. Whoever performs it can answer with no other. */
export type EndOf<K extends RunWork['kind']> = K extends unknown
  ? Extract<FactBody, { type: keyof Ends<K> | (Ends<K>[keyof Ends<K>] & readonly string[])[number] }>
  : never;

export type RunEffect = Effect<FactBody, RunWork>;

export const record = (...facts: FactBody[]): Extract<RunEffect, { kind: 'record' }> => ({
  kind: 'record',
  facts,
});

/** The run rests until somebody sets it going again. */
export const paused = (reason: StopReason, message: string): FactBody => ({
  type: 'run-paused',
  reason,
  message,
});

/** A request may come in before the end of these, and is answered after it. */
export const looking = ['judge', 'take', 'learn', 'survey', 'stop', 'release', 'checkpoint'] as const;

/** Work that needs no intent: done twice, it does no harm. */
export const look = (work: RunWork): Extract<RunEffect, { kind: 'perform' }> => ({
  kind: 'perform',
  intent: [],
  work,
});

export const rest = (why: RestReason, wakeAt: number | null = null): RunEffect => ({
  kind: 'rest',
  why,
  wakeAt,
});

/** The places of the requests to cancel that wait for an answer. */
export const cancelsOf = ({ inbox }: RunState): number[] =>
  inbox.flatMap(({ seq, request }) => (request.type === 'cancel-requested' ? [seq] : []));

const endsWithRun = ({ keep, status }: ServiceState): boolean => !keep && status === 'running';

export const hasToRelease = (state: RunState): boolean =>
  state.hasStrays || state.groups.length > 0 || state.services.some(endsWithRun);

/** Ends the groups that outlived their steps, and the services, before the run itself ends. */
export const release = (state: RunState): RunEffect =>
  look({
    kind: 'release',
    heard: cancelsOf(state),
    groups: [...state.groups],
    services: state.services.filter(endsWithRun),
  });

/** How one kind of work is performed, and what it ends in. */
export type PerformOf<K extends RunWork['kind']> = (
  run: string,
  ports: RunPorts,
  work: WorkOf<K>,
  context: PerformContext<FactBody>,
) => Promise<EndOf<K>[]>;
