import type { FactBody, ProcessGroup, RunState, Step, StepState } from '../../contract/index.ts';
import type { Effect, RestReason } from '../effects.ts';

/** The work of a plan run. Each carries the state it was decided on, so that the gate judges by the same facts. */
export type RunWork =
  | { kind: 'judge'; state: RunState; step: Step; stepState: StepState }
  | { kind: 'attempt'; state: RunState; step: Step; stepState: StepState; attemptIndex: number }
  | { kind: 'recover'; state: RunState; step: Step }
  | { kind: 'release'; groups: ProcessGroup[] };

export type RunEffect = Effect<FactBody, RunWork>;

export const record = (...facts: FactBody[]): RunEffect => ({ kind: 'record', facts });

export const rest = (why: RestReason, wakeAt: number | null = null): RunEffect => ({
  kind: 'rest',
  why,
  wakeAt,
});

/** Ends the groups that outlived their steps, before the run itself ends. */
export const release = (state: RunState): RunEffect => ({
  kind: 'perform',
  intent: [],
  work: { kind: 'release', groups: [...state.groups] },
});
