import type { Action, NumberedEvent, RiskLevel, RunEvent, StepResult, StepState, Verdict } from '@contract';
import { riskOf } from './risk.ts';

export interface Attempt {
  index: number;
  startedAt: number;
  endedAt: number | null;
  outcome: 'running' | 'done' | 'failed' | 'interrupted';
  result: StepResult | null;
  /** As it was judged for this attempt; null where nobody knows. */
  risk: RiskLevel | null;
  /** Which item of a loop it was about, from 0; null where the step is none. */
  item: number | null;
}

export interface Judgement {
  verdict: Verdict;
  /** With captured values put in. */
  action: Action;
  /** What a look at the world has against it. */
  warnings: readonly string[];
}

const none: readonly Attempt[] = [];

/**
 * What `RunState` lets go of and the page still shows: every attempt, every judgement. It is
 * changed in place, one event at a time and in order; the list of a step is a new one whenever it changes.
 */
export class Chronicle {
  /** Whether it has seen the journal from its first event. */
  complete = false;
  /** Nobody looks yet: lists may be changed in place. */
  private isBeingMade = false;
  /** How often anything here has changed. */
  version = 0;
  private readonly tries = new Map<string, readonly Attempt[]>();
  private readonly judgements = new Map<string, Judgement>();
  private readonly born = new Map<string, number>();

  /** Of events in their order, at once. */
  static of(events: readonly NumberedEvent[], complete: boolean): Chronicle {
    const made = new Chronicle();
    made.isBeingMade = true;
    for (const event of events) made.add(event);
    made.isBeingMade = false;
    made.complete = complete;
    return made;
  }

  /** Whether it has all attempts of a step that was begun so often. */
  knows({ id, attempts }: Pick<StepState, 'id' | 'attempts'>): boolean {
    return this.complete || this.attempts(id).length >= attempts;
  }

  attempts(stepId: string): readonly Attempt[] {
    return this.tries.get(stepId) ?? none;
  }
  /** The last judgement of a step, with the action it was about: spans point into that one. */
  judged(stepId: string): Judgement | null {
    return this.judgements.get(stepId) ?? null;
  }
  /** The sequence number at which a correction brought this step into the plan. */
  bornAt(stepId: string): number | null {
    return this.born.get(stepId) ?? null;
  }
  add({ seq, event }: NumberedEvent): void {
    this.version += 1;
    switch (event.type) {
      case 'step-judged':
        this.judgements.set(event.subject.stepId, {
          verdict: event.verdict,
          action: event.subject.action,
          warnings: event.warnings?.map(({ message }) => message) ?? [],
        });
        return;
      case 'approval-needed':
        this.judgements.set(event.subject.stepId, {
          verdict: event.verdict,
          action: event.subject.action,
          warnings: this.judged(event.subject.stepId)?.warnings ?? [],
        });
        return;
      case 'step-started':
        this.started(event.stepId, event.attemptIndex, event.at, event.item ?? null);
        return;
      case 'item-completed':
        this.ended(event.stepId, event.attemptIndex, event.at, 'done', event.result);
        return;
      case 'step-completed':
        // Of a loop it comes after its last item, whose attempt is over.
        if (this.attempts(event.stepId).some(({ item }) => item !== null)) return;
        this.ended(event.stepId, event.attemptIndex, event.at, 'done', event.result);
        return;
      case 'step-failed':
        this.ended(event.stepId, event.attemptIndex, event.at, 'failed', event.result);
        return;
      case 'step-interrupted':
        this.ended(event.stepId, event.attemptIndex, event.at, 'interrupted', null);
        return;
      case 'plan-revised':
        this.revised(seq, event);
        return;
    }
  }

  private started(stepId: string, index: number, at: number, item: number | null): void {
    const before = this.attempts(stepId);
    if (before.at(-1)?.index === index || before[index]?.index === index) return;
    const risk = this.levelOf(stepId);
    const attempt: Attempt = {
      index,
      startedAt: at,
      endedAt: null,
      outcome: 'running',
      result: null,
      risk,
      item,
    };
    this.put(stepId, before, attempt);
  }

  private put(stepId: string, others: readonly Attempt[], attempt: Attempt): void {
    if (!this.isBeingMade || others === none) this.tries.set(stepId, [...others, attempt]);
    else {
      (others as Attempt[]).push(attempt);
      this.tries.set(stepId, others);
    }
  }

  private ended(
    stepId: string,
    index: number,
    at: number,
    outcome: Attempt['outcome'],
    result: StepResult | null,
  ): void {
    const before = this.attempts(stepId);
    const known = before.findLast((attempt) => attempt.index === index);
    const { startedAt = at, risk = this.levelOf(stepId), item = null } = known ?? {};
    const attempt = { index, startedAt, endedAt: at, outcome, result, risk, item };
    if (known !== undefined && this.isBeingMade) {
      (before as Attempt[])[before.lastIndexOf(known)] = attempt;
      return;
    }
    // Nearly always the last one: a loop has thousands.
    const others =
      known === undefined
        ? before
        : before.at(-1) === known
          ? before.slice(0, -1)
          : before.filter((other) => other !== known);
    this.put(stepId, others, attempt);
  }

  private levelOf(stepId: string): RiskLevel | null {
    const judged = this.judged(stepId);
    return judged === null ? null : riskOf(judged.verdict);
  }

  private revised(seq: number, { patch }: Extract<RunEvent, { type: 'plan-revised' }>): void {
    for (const change of patch)
      if (change.op === 'insert') for (const { id } of change.steps) this.born.set(id, seq);
  }
}
