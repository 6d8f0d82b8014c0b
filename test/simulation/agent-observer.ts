import {
  committed,
  correctionOf,
  type EventOf,
  planStep,
  type RunEvent,
  type RunState,
  rootOf,
  stepState,
} from '../../src/core/contract/index.ts';
import { FORBIDDEN } from './mind.ts';
import { promise } from './promise.ts';

type Fact = Exclude<RunEvent, { key: string }>;

/** Failures that do not count towards the limits. */
const uncounted = new Set(['denied', 'sandbox-denied', 'precheck']);

/** Failures that no brain may be asked about. */
const notForBrains = new Set(['denied', 'blocked', 'aborted', 'no-terminal', 'sandbox-denied', 'internal']);

/** Keeps its own books of the agentic loop, and holds every fact against the limits and the gate. */
export class AgentObserver {
  readonly #strikes = new Map<string, number>();
  readonly #corrections = new Map<string, 'proposed' | 'refused' | 'applied' | 'over'>();
  readonly #refusals = new Map<string, number>();
  #denied = 0;
  #added = 0;
  #hints = 0;

  fact(before: RunState, event: Fact): void {
    switch (event.type) {
      case 'step-failed':
        if (!uncounted.has(event.result.why ?? '')) this.#strike(event.stepId, 1);
        break;
      case 'step-retried': {
        const { stepId, retry } = event;
        const { retry: allowed, action } = planStep(before, stepId)!;
        promise(before.options!.mode !== 'teacher', 'in teacher mode nothing is attempted again by itself');
        promise(stepState(before, stepId)!.status === 'failed', 'only what failed is attempted again');
        promise(retry <= (allowed?.times ?? 0), 'no more often than its plan says');
        promise(
          action.kind !== 'ask' && action.kind !== 'manual',
          'what a person does is not attempted again',
        );
        this.#strike(stepId, -1);
        break;
      }
      case 'step-reset':
        this.#strikes.delete(event.stepId);
        break;
      case 'hint-given':
        this.#hints += 1;
        for (const { id } of before.steps) {
          if (rootOf(before, id) !== rootOf(before, event.stepId)) continue;
          this.#strikes.delete(id);
          this.#refusals.delete(id);
        }
        break;
      case 'agent-thinking':
        this.#thinking(before, event);
        break;
      case 'correction-attempt':
        promise(!this.#corrections.has(event.correctionId), 'a correction has a name of its own');
        this.#corrections.set(event.correctionId, event.objection === undefined ? 'proposed' : 'refused');
        break;
      case 'correction-refused':
        this.#corrections.set(event.correctionId, 'refused');
        if (event.code === 'denied') this.#denied += 1;
        else this.#refuse(correctionOf(before, event.correctionId)?.stepId ?? '');
        break;
      case 'correction-success':
      case 'correction-failed':
        promise(
          this.#corrections.get(event.correctionId) === 'applied',
          'only what was applied comes to an end',
        );
        this.#corrections.set(event.correctionId, 'over');
        break;
      case 'plan-revised':
        this.#revised(before, event);
        break;
      case 'retry-attempt':
        promise(this.#isOpen(event.correctionId), 'a retry comes of a correction that was not refused');
        this.#corrections.set(event.correctionId, 'applied');
        break;
      case 'step-started': {
        promise(before.thinking === null, 'no step starts while the brain is thinking');
        const { notBefore } = stepState(before, event.stepId)!;
        promise(notBefore === null || event.at >= notBefore, 'a retry waits as long as it was told to');
        break;
      }
      case 'model-call-started':
        this.#called(before, event);
        break;
    }
  }

  #refuse(stepId: string): void {
    this.#refusals.set(stepId, (this.#refusals.get(stepId) ?? 0) + 1);
  }

  #strike(stepId: string, by: number): void {
    this.#strikes.set(stepId, (this.#strikes.get(stepId) ?? 0) + by);
  }

  #isOpen(id: string): boolean {
    const status = this.#corrections.get(id);
    return status === 'proposed' || status === 'applied';
  }

  #thinking(before: RunState, { stepId }: EventOf<'agent-thinking'>): void {
    const { limits, mode } = before.options!;
    const step = stepState(before, stepId)!;
    promise(mode === 'agentic', 'only in agentic mode is a brain asked');
    promise(step.status === 'failed', 'a brain is asked about what failed');
    promise(!notForBrains.has(step.result?.why ?? ''), `no brain is asked about ${step.result?.why}`);
    const used =
      [...this.#corrections.values()].filter((status) => status !== 'refused').length + this.#denied;
    promise(
      used < limits.corrections + this.#hints,
      'the limit on corrections holds before the brain is asked',
    );
    promise(
      (this.#refusals.get(stepId) ?? 0) < Math.max(1, limits.retriesPerStep),
      'the limit on refused corrections holds before the brain is asked',
    );
    let strikes = 0;
    for (const { id } of before.steps) {
      if (rootOf(before, id) === rootOf(before, stepId)) strikes += this.#strikes.get(id) ?? 0;
    }
    promise(strikes <= limits.retriesPerStep, 'the limit on attempts holds before the brain is asked');
  }

  #revised(before: RunState, event: EventOf<'plan-revised'>): void {
    if (event.correctionId === undefined) {
      for (const change of event.patch) {
        if (change.op !== 'replace') continue;
        this.#strikes.delete(change.stepId);
        this.#refusals.delete(change.stepId);
      }
      return;
    }
    const inserted = event.patch.flatMap((change) => (change.op === 'insert' ? change.steps : []));
    this.#added += inserted.length;
    const { limits } = before.options!;
    promise(inserted.length <= limits.addedStepsPerCorrection, 'the limit on steps of one correction holds');
    promise(inserted.length === 0 || this.#added <= limits.addedSteps, 'the limit on added steps holds');
    promise(
      inserted.every((step) => step.repairs !== undefined),
      'a step that a brain put there says what it repairs',
    );
    promise(!JSON.stringify(event.patch).includes(FORBIDDEN), 'what is blocked does not come into the plan');
    const status = this.#corrections.get(event.correctionId);
    if (status === 'refused' || status === 'over') {
      const own = event.patch.every(
        (change) =>
          change.op === 'replace' && stepState(before, change.stepId)?.correction === event.correctionId,
      );
      promise(own, 'taking a correction back touches nothing but what it changed');
      return;
    }
    promise(this.#isOpen(event.correctionId), 'a revision comes of a correction');
    this.#corrections.set(event.correctionId, 'applied');
  }

  #called(before: RunState, { reserved }: EventOf<'model-call-started'>): void {
    const { money, tokens } = before.options!.limits;
    const so = committed(before.spending);
    if (reserved.usd !== null) promise(so.usd + reserved.usd <= money, 'no call is sent that money forbids');
    else promise(so.unpricedTokens + reserved.tokens <= tokens, 'no call is sent that tokens forbid');
  }
}
