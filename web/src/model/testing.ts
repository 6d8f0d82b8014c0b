import {
  type Action,
  applyPatch,
  defaultOptions,
  evolve,
  type FactBody,
  hashPlan,
  initialRunState,
  type NumberedEvent,
  type Plan,
  type PlanPatch,
  type RunEvent,
  type RunOptions,
  type RunState,
  type Step,
  type StepResult,
} from '@contract';
import { Chronicle } from './chronicle.ts';
import { Tape } from './tape.ts';

/** A run told event by event, with what the page keeps of it. */
export class Told {
  readonly chronicle = new Chronicle();
  readonly tape = new Tape();
  state: RunState = initialRunState;
  now = 1_000_000;

  constructor(steps: readonly (Partial<Step> & { title: string })[], options: Partial<RunOptions> = {}) {
    const plan: Plan = {
      goal: 'Publish the site',
      shell: 'bash',
      revision: 0,
      steps: steps.map((step, at) => ({ id: `s${at + 1}`, action: command('true'), ...step })),
    };
    const all = { ...defaultOptions, ...options };
    this.tell({
      type: 'plan-created',
      plan,
      hash: hashPlan(plan),
      place: { host: 'h', boot: 'b', workspace: '/work/site' },
      options: all,
    });
    this.tell({ type: 'plan-confirmed', revision: 0, answers: 1 });
  }

  tell(...facts: FactBody[]): this {
    for (const fact of facts) {
      const event: NumberedEvent = {
        seq: this.state.seq + 1,
        event: { v: 1, at: this.now, ...fact } as RunEvent,
      };
      this.state = evolve(this.state, event);
      this.chronicle.add(event);
      this.tape.push(event);
    }
    return this;
  }

  start(stepId: string, attemptIndex = 0): this {
    const cwd = '/work/site';
    return this.tell({
      type: 'step-started',
      stepId,
      attemptIndex,
      revision: 0,
      fingerprint: 'f',
      cwd,
      deadline: null,
    });
  }

  done(stepId: string, attemptIndex = 0): this {
    return this.start(stepId, attemptIndex).tell({
      type: 'step-completed',
      stepId,
      attemptIndex,
      result: ok,
      by: 'driver',
    });
  }

  failed(stepId: string, attemptIndex = 0): this {
    const result = { ...ok, exitCode: 17, why: 'exit-code', message: 'exited with code 17' } as const;
    return this.start(stepId, attemptIndex).tell({ type: 'step-failed', stepId, attemptIndex, result });
  }

  /** A rule puts steps before the one that failed. */
  mend(stepId: string, attemptIndex: number, titles: readonly string[]): this {
    const correctionId = `c${this.state.corrections.length + 1}`;
    const newSteps = titles.map((title) => ({ step: title, action: 'RUN_COMMAND true' }));
    const correction = {
      action: 'insert_steps',
      reasoning: 'it is missing',
      newSteps,
      confidence: 0.9,
      source: { brain: 'rule', name: 'missing-parents' },
    } as const;
    this.tell({ type: 'agent-thinking', stepId, attemptIndex });
    this.tell({ type: 'correction-attempt', stepId, attemptIndex, correctionId, correction, failure: 'f' });
    const steps = titles.map((title, n) => ({
      id: `${correctionId}.${n}`,
      title,
      action: command('true'),
      repairs: stepId,
    }));
    const patch: PlanPatch = [{ op: 'insert', before: stepId, steps }];
    const outcome = applyPatch(this.state.plan!, patch);
    if ('misfit' in outcome) throw new Error(outcome.misfit);
    const { plan } = outcome;
    return this.tell(
      {
        type: 'plan-revised',
        revision: plan.revision,
        patch,
        hash: hashPlan(plan),
        reason: 'mend',
        source: 'rule',
        correctionId,
      },
      { type: 'retry-attempt', stepId, attemptIndex: attemptIndex + 1, correctionId, failures: 1, limit: 3 },
    );
  }
}

export const command = (text: string): Action => ({ kind: 'run-command', command: text });

export const ok: StepResult = {
  exitCode: 0,
  signal: null,
  durationMs: 1200,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};
