import {
  type Correction,
  defaultOptions,
  type FactBody,
  type Grants,
  hashPlan,
  type Limits,
  type Plan,
  type RequestBody,
  type RunEvent,
  type RunOptions,
  type RunState,
  type Step,
  type StepResult,
  type StoredEvent,
} from '../../contract/index.ts';
import { createRunMachine } from '../machine.ts';
import type { Advice, ConsultWork, Mind, Performer } from '../ports.ts';

/** A run in agentic mode, played without a world: every effect of the real machine, with answers as the test has them. */
export interface Scene {
  commands: string[];
  limits?: Partial<Limits>;
  /** How often its plan has a step attempted again, by its number from 1. */
  retry?: Readonly<Record<number, NonNullable<Step['retry']>>>;
  /** What every step of it says besides: its folder, its variables. */
  each?: Pick<Step, 'cwd' | 'env'>;
  options?: Partial<RunOptions>;
  /** What an attempt comes to; 0 and null for success, else its exit code or its result. */
  attempt?(command: string, attemptIndex: number): number | null | Partial<StepResult>;
  consult?: Mind['consult'];
  /** How long each attempt takes. */
  attemptMs?: number;
  /** What a performer makes of a command; `safe` without. */
  level?(command: string): 'safe' | 'caution' | 'dangerous' | 'blocked';
  /** What a look has against a command; nothing without. */
  warns?(command: string): string | null;
  /** What a command is known to lack in its sandbox, until it has it; nothing without. */
  lacks?(command: string): Grants | null;
  /** Asked when the run rests; null: that is the end. */
  people?(state: RunState): RequestBody | RequestBody[] | null;
  /** Dangerous commands that are agreed to with the plan. */
  agrees?: string[];
  /** The state as a broken `next` sees it. */
  blind?(state: RunState): RunState;
}

export interface Played {
  events: StoredEvent[];
  facts: FactBody[];
  types: string[];
  state: RunState;
  of<T extends FactBody['type']>(type: T): Extract<FactBody, { type: T }>[];
  commandsRun: string[];
}

const succeeded: StepResult = {
  exitCode: 0,
  signal: null,
  durationMs: 1,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};

export const failedWith = (said: string, more: Partial<StepResult> = {}): StepResult => ({
  ...succeeded,
  exitCode: 1,
  stderrTail: said,
  why: 'exit-code',
  message: 'exited with code 1',
  ...more,
});

export const planOf = (
  commands: readonly string[],
  retry: Scene['retry'] = {},
  each: Scene['each'] = {},
): Plan => ({
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: commands.map(
    (command, n): Step => ({
      id: `s${n + 1}`,
      title: command,
      action: run(command),
      ...each,
      ...(retry[n + 1] === undefined ? {} : { retry: retry[n + 1] }),
    }),
  ),
});

/** `ASK`: a question; else a command. */
const run = (command: string): Step['action'] =>
  command === 'ASK' ? { kind: 'ask', question: 'Which?', as: 'answer' } : { kind: 'run-command', command };

const source = { brain: 'program', name: 'test' } as const;
export const correction = (body: Partial<Correction> & Pick<Correction, 'action'>): Correction => ({
  reasoning: 'because',
  confidence: 1,
  source,
  ...body,
});
export const modifyTo = (modifiedCommand: string): Correction =>
  correction({ action: 'modify', modifiedCommand });
export const insertOf = (...commands: string[]): Correction =>
  correction({
    action: 'insert_steps',
    newSteps: commands.map((command) => ({ step: command, action: `RUN_COMMAND ${command}` })),
  });

/** Advice from a list, the last one for ever; what it was told is kept in `told`. */
export function advising(
  ...answers: (Correction | Advice | null)[]
): Mind['consult'] & { told: ConsultWork[] } {
  const told: ConsultWork[] = [];
  const consult = async (work: ConsultWork): Promise<Advice> => {
    const answer = answers[Math.min(told.push(work), answers.length) - 1] ?? null;
    return answer !== null && 'action' in answer ? { correction: answer } : (answer ?? { correction: null });
  };
  return Object.assign(consult, { told });
}

const commandOf = (step: Step): string =>
  step.action.kind === 'run-command' ? step.action.command : step.action.kind;

const MAX_TURNS = 600;

/** Plays until the run rests for good. Never a clock, never a process. */
export async function play(scene: Scene): Promise<Played> {
  const events: StoredEvent[] = [];
  const commandsRun: string[] = [];
  let now = 1000;
  const attempt: NonNullable<Scene['attempt']> = scene.attempt ?? (() => 0);
  const performer: Performer = {
    async judge({ step, revision, session, grants }) {
      const action = step.action;
      const level = scene.level?.(commandOf(step)) ?? 'safe';
      const lacks = scene.lacks?.(commandOf(step)) ?? null;
      const message = scene.warns?.(commandOf(step)) ?? null;
      const reasons = level === 'safe' ? [] : [{ rule: 'r', level, sentence: `It is ${level}.` }];
      return {
        verdict: { level, reasons, paths: [], reversible: true, needs: [] } as never,
        subject: {
          run: 'r',
          stepId: step.id,
          revision,
          action,
          cwd: session.cwd,
          paths: [],
          ...(grants === null ? {} : { grants }),
        } as never,
        ...(lacks === null || grants !== null ? {} : { missing: lacks }),
        ...(message === null ? {} : { warnings: [{ message, said: message, exitCode: 127 }] }),
      };
    },
    async attempt({ step, attemptIndex }) {
      now += scene.attemptMs ?? 10;
      commandsRun.push(commandOf(step));
      const came = attempt(commandOf(step), attemptIndex);
      if (came === 0 || came === null) return succeeded;
      return typeof came === 'number'
        ? failedWith(`${commandOf(step)} says ${came}`, { exitCode: came })
        : failedWith('', came);
    },
    recover: async () => ({ finding: 'not-started', detail: '' }),
    release: async () => [],
    endServices: async () => [],
    survey: async () => [],
  };
  const mind: Mind = {
    consult: scene.consult ?? (async () => ({ correction: null })),
    learn: async () => {},
  };
  const machine = createRunMachine('r', { pid: 1, host: 'h', boot: 'b' }, { performer, mind });
  let state = machine.initial;
  const append = (body: object) => {
    const event = { v: 1, at: now, ...body } as RunEvent;
    const stored = { stream: 'r', seq: events.length + 1, event };
    events.push(stored);
    state = machine.evolve(state, stored);
  };
  const ask = (body: RequestBody) => append({ key: `k${events.length}`, by: 'person', ...body });
  const plan = planOf(scene.commands, scene.retry, scene.each);
  const options: RunOptions = { ...defaultOptions, mode: 'agentic', ...scene.options };
  append({
    type: 'plan-created',
    plan,
    hash: hashPlan(plan),
    place: { host: 'h', boot: 'b', workspace: '/w' },
    options: { ...options, limits: { ...options.limits, ...scene.limits } },
  });
  append({ type: 'driver-claimed', epoch: 1, driver: { pid: 1, host: 'h', boot: 'b' } });
  const { signal } = new AbortController();
  const agreed = plan.steps.filter((step) => scene.agrees?.includes(commandOf(step)));
  const session = { cwd: '', env: {} };
  const approves = await Promise.all(
    agreed.map((step) => performer.judge({ step, revision: 0, session, grants: null } as never, signal)),
  );
  ask({ type: 'plan-decided', revision: 0, decision: 'all', ...(approves.length > 0 ? { approves } : {}) });
  const blind = scene.blind ?? ((seen: RunState) => seen);
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const effect = machine.next(blind(state), now);
    if (effect.kind === 'record') for (const fact of effect.facts) append(fact);
    else if (effect.kind === 'perform') {
      for (const fact of effect.intent) append(fact);
      const context = {
        signal: new AbortController().signal,
        epoch: 1,
        record: async (facts: FactBody[]) => {
          for (const fact of facts) append(fact);
          return true;
        },
      };
      for (const fact of await machine.perform(effect.work, context)) append(fact);
    } else {
      if (effect.why === 'later' && effect.wakeAt !== null) now = effect.wakeAt;
      else {
        const asked = scene.people?.(state) ?? null;
        if (asked === null) break;
        for (const body of [asked].flat()) ask(body);
      }
    }
  }
  const facts = events.map(({ event }) => event as unknown as FactBody);
  return {
    events,
    facts,
    types: facts.map(({ type }) => type),
    state,
    of: (type) => facts.filter((fact) => fact.type === type) as never,
    commandsRun,
  };
}
