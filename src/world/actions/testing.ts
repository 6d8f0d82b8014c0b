import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Action,
  type Driver,
  defaultOptions,
  type EventOf,
  type FactBody,
  type FileChange,
  freshStep,
  initialRunState,
  type ProcessGroup,
  type RunState,
  type ServiceState,
  type Session,
  type Step,
  type StepResult,
  type Value,
  type Verdict,
} from '../../core/contract/index.ts';
import { parseExpects } from '../../core/plan/index.ts';
import { createRunMachine, failedResult, type Performer } from '../../core/run/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { createPerformer } from './performer.ts';
import type { PerformerOptions } from './ports.ts';

/** What tests of this room, of test/process and the bench share: a performer, and the real gate to it. */

export const systemClock: Clock = { now: () => Date.now(), sleepUntil: async () => {} };

export const caution: Verdict = { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] };

/** Logs in memory; those of services, which write by themselves, are files in the folder. */
export function memoryOutput(folder?: string) {
  const logs = new Map<string, Buffer[]>();
  const ended = new Set<string>();
  return {
    ended,
    text: (key = 's#0') => Buffer.concat(logs.get(key) ?? []).toString(),
    async writer(_run: string, stepId: string, attemptIndex: number) {
      const key = `${stepId}#${attemptIndex}`;
      const log: Buffer[] = [];
      logs.set(key, log);
      return {
        write: async (chunk: Uint8Array) => void log.push(Buffer.from(chunk)),
        end: async () => void ended.add(key),
      };
    },
    async read(_run: string, stepId: string, attemptIndex: number, offset: number, limit: number) {
      const whole = Buffer.concat(logs.get(`${stepId}#${attemptIndex}`) ?? []);
      const bytes = whole.subarray(offset, offset + limit);
      return { bytes, next: offset + bytes.length, size: whole.length, isEnded: true, noted: 0 };
    },
    async serviceLog(run: string, stepId: string, attemptIndex: number) {
      if (folder === undefined) throw new Error('there is no folder for the logs of services');
      const path = join(folder, `${run}.${stepId}.${attemptIndex}.log`);
      const fd = openSync(path, 'a');
      return { fd, path, cap: async () => {}, close: async () => closeSync(fd) };
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
  values?: Readonly<Record<string, Value>>;
  services?: readonly ServiceState[];
  /** Called when the process has been started and before it is let run. */
  spawned?: (group: ProcessGroup, heldBefore: boolean | null) => boolean | Promise<boolean>;
  /** Called with what files will become, before they are changed. */
  prepared?: (changes: FileChange[]) => boolean | Promise<boolean>;
  /** Between the judgement and the attempt. */
  meanwhile?: (state: RunState) => RunState | undefined;
}

const driver: Driver = { pid: process.pid, host: 'test', boot: 'test' };

/** Judges and attempts one step as the run's machine does it, permit and all. */
export const perform = async (given: Performance): Promise<StepResult> => (await performAll(given)).at(-1)!;

/** The same for each item of a loop, until one fails. What is no loop has one result. */
export async function performAll(given: Performance): Promise<StepResult[]> {
  const { performer, step, run = `run-${process.pid}` } = given;
  const machine = createRunMachine(run, driver, { performer });
  let state = stateOf(given);
  const context = {
    signal: given.signal ?? new AbortController().signal,
    epoch: 1,
    record: async ([fact]: FactBody[]): Promise<boolean> => {
      if (fact?.type === 'process-spawned')
        return (await given.spawned?.(fact.group, fact.heldBefore)) ?? true;
      if (fact?.type === 'change-prepared') return (await given.prepared?.(fact.changes)) ?? true;
      return true;
    },
  };
  const stepState = state.steps.at(0)!;
  const [judgement] = (await machine.perform({ kind: 'judge', state, step, stepState }, context)) as [
    EventOf<'step-judged'>,
  ];
  const { verdict, subject, fingerprint } = judgement;
  const judged = { verdict, subject, fingerprint };
  if (verdict.level === 'blocked') return [failedResult('blocked', verdict.reasons[0]?.sentence ?? '')];
  state = given.meanwhile?.(state) ?? state;
  state = { ...state, judgements: { [stepState.id]: judged } };
  const work = { kind: 'attempt', state, step: state.plan!.steps[0]!, judged } as const;
  const results: StepResult[] = [];
  for (let item = 0; item < (stepState.loop?.count ?? 1); item += 1) {
    const [outcome] = (await machine.perform(
      {
        ...work,
        stepState,
        attemptIndex: given.attemptIndex ?? item,
        item: stepState.loop ? item : null,
      },
      context,
    )) as [EventOf<'step-completed'> | EventOf<'item-completed'> | EventOf<'step-failed'>];
    results.push(outcome.result);
    if (outcome.type === 'step-failed') break;
  }
  return results;
}

function stateOf(given: Performance): RunState {
  const { step, workspace = '/', values = {} } = given;
  const { action } = step;
  const list = action.kind === 'for-each' ? values[action.list] : null;
  const items = Array.isArray(list) ? list : null;
  const count = action.kind === 'repeat' ? action.times : items?.length;
  const loop = count === undefined ? null : { items, count, done: 0 };
  return {
    ...initialRunState,
    plan: { goal: 'g', shell: given.shell ?? 'bash', steps: [step], revision: 0 },
    options: defaultOptions,
    workspace,
    session: given.session ?? { cwd: workspace, env: {} },
    values,
    services: given.services ?? [],
    steps: [{ ...freshStep(step.id, 0), loop }],
  };
}
