import {
  type Action,
  type Driver,
  defaultOptions,
  type EventOf,
  type FactBody,
  initialRunState,
  type ProcessGroup,
  type RunState,
  type Session,
  type Step,
  type StepResult,
  type StepState,
  type Verdict,
} from '../../core/contract/index.ts';
import { type Clock, createRunMachine, type Performer } from '../../core/engine/index.ts';
import { parseExpects } from '../../core/plan/index.ts';
import { createPerformer } from './performer.ts';
import type { PerformerOptions } from './ports.ts';

/** What tests of this room, of test/process and the bench share: a performer, and the real gate to it. */

export const systemClock: Clock = { now: () => Date.now(), sleepUntil: async () => {} };

export const caution: Verdict = { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] };

export function memoryOutput() {
  const logs = new Map<string, Buffer[]>();
  const ended = new Set<string>();
  return {
    ended,
    text: (key = 's#0') => Buffer.concat(logs.get(key) ?? []).toString(),
    writer(_run: string, stepId: string, attemptIndex: number) {
      const key = `${stepId}#${attemptIndex}`;
      const log: Buffer[] = [];
      logs.set(key, log);
      return {
        write: (chunk: Uint8Array) => void log.push(Buffer.from(chunk)),
        end: () => void ended.add(key),
      };
    },
  };
}

export const testPerformer = (options: Partial<PerformerOptions> = {}): Performer =>
  createPerformer({
    output: memoryOutput(),
    baseEnv: { PATH: process.env['PATH'], HOME: '/root', LANG: 'C.UTF-8' },
    clock: systemClock,
    judge: () => caution,
    parseExpects,
    graceMs: 300,
    ...options,
  });

export const stepOf = (action: Action | string, more: Partial<Step> = {}): Step => ({
  id: 's',
  title: 'a step',
  action: typeof action === 'string' ? { kind: 'run-command', command: action } : action,
  ...more,
});

export interface Performance {
  performer: Performer;
  step: Step;
  run?: string;
  session?: Session;
  workspace?: string;
  shell?: 'bash' | 'pwsh';
  signal?: AbortSignal;
  attemptIndex?: number;
  /** Called when the process has been started and before it is let run. */
  spawned?: (group: ProcessGroup, heldBefore: boolean | null) => boolean | Promise<boolean>;
  /** Between the judgement and the attempt. */
  meanwhile?: (state: RunState) => RunState | undefined;
}

const driver: Driver = { pid: process.pid, host: 'test', boot: 'test' };

/** Judges and attempts one step as the run's machine does it, permit and all. */
export async function perform(given: Performance): Promise<StepResult> {
  const { performer, step, run = `run-${process.pid}`, workspace = '/' } = given;
  const machine = createRunMachine(run, driver, performer);
  const stepState: StepState = {
    ...{ id: step.id, status: 'pending', revision: 0, attempts: 0, failures: 0, startedAt: null },
    ...{ result: null, skipReason: null, offered: false, accepted: false, judged: null },
  };
  let state: RunState = {
    ...initialRunState,
    plan: { goal: 'g', shell: given.shell ?? 'bash', steps: [step], revision: 0 },
    options: defaultOptions,
    workspace,
    session: given.session ?? { cwd: workspace, env: {} },
    steps: [stepState],
  };
  const context = {
    signal: given.signal ?? new AbortController().signal,
    epoch: 1,
    record: async (facts: FactBody[]) => {
      const fact = facts[0] as EventOf<'process-spawned'>;
      return (await given.spawned?.(fact.group, fact.heldBefore)) ?? true;
    },
  };
  const [judgement] = (await machine.perform({ kind: 'judge', state, step, stepState }, context)) as [
    EventOf<'step-judged'>,
  ];
  state = given.meanwhile?.(state) ?? state;
  const judged = { ...stepState, judged: judgement };
  const work = { kind: 'attempt', state, step: state.plan!.steps[0]!, stepState: judged } as const;
  const [outcome] = (await machine.perform({ ...work, attemptIndex: given.attemptIndex ?? 0 }, context)) as [
    EventOf<'step-completed'> | EventOf<'step-failed'>,
  ];
  return outcome.result;
}
