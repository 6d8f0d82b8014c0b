import type { Correction, RunEvent, StepResult, Verdict } from '@contract';
import type { Mend } from './mending.ts';

export interface Attempt {
  index: number;
  startedAt: number;
  endedAt: number | null;
  outcome: 'running' | 'done' | 'failed' | 'interrupted';
  result: StepResult | null;
}

/** What a brain is doing at this moment. */
export interface Thinking {
  stepId: string;
  attemptIndex: number;
  since: number;
  text: string;
}

interface Numbered {
  seq: number;
  event: RunEvent;
}
type Loose = { type: string; at: number } & Record<string, unknown>;

const none: readonly Attempt[] = [];

/**
 * What `RunState` lets go of and the page still shows: every attempt, every judgement, every correction. It is
 * changed in place, one event at a time and in order; the list of a step is a new one whenever it changes.
 */
export class Chronicle {
  /** Whether it has seen the journal from its first event. */
  complete = false;
  /** How often anything here has changed. */
  version = 0;
  /** How often a correction was added or changed: the spine is laid out anew. */
  mendings = 0;
  thinking: Thinking | null = null;
  private readonly tries = new Map<string, readonly Attempt[]>();
  private readonly verdicts = new Map<string, Verdict>();
  private readonly mended = new Map<string, readonly Mend[]>();
  private readonly born = new Map<string, number>();
  readonly mends: Mend[] = [];

  attempts(stepId: string): readonly Attempt[] {
    return this.tries.get(stepId) ?? none;
  }
  verdict(stepId: string): Verdict | null {
    return this.verdicts.get(stepId) ?? null;
  }
  mendsOf(stepId: string): readonly Mend[] {
    return this.mended.get(stepId) ?? [];
  }
  /** The sequence number at which a correction brought this step into the plan. */
  bornAt(stepId: string): number | null {
    return this.born.get(stepId) ?? null;
  }
  get mendedSteps(): Iterable<string> {
    return this.mended.keys();
  }

  add({ seq, event }: Numbered): void {
    this.version += 1;
    switch (event.type) {
      case 'step-judged':
        this.verdicts.set(event.subject.stepId, event.verdict);
        return;
      case 'approval-needed':
        this.verdicts.set(event.subject.stepId, event.verdict);
        return;
      case 'step-started':
        this.thinking = null;
        this.started(event.stepId, event.attemptIndex, event.at);
        return;
      case 'step-completed':
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
      case 'run-paused':
      case 'run-finished':
        this.thinking = null;
        return;
      default:
        this.machine(seq, event as unknown as Loose);
    }
  }

  private started(stepId: string, index: number, at: number): void {
    const before = this.attempts(stepId);
    if (before[index] !== undefined) return;
    const attempt: Attempt = { index, startedAt: at, endedAt: null, outcome: 'running', result: null };
    this.tries.set(stepId, [...before, attempt]);
  }

  private ended(
    stepId: string,
    index: number,
    at: number,
    outcome: Attempt['outcome'],
    result: StepResult | null,
  ): void {
    const before = this.attempts(stepId);
    const known = before.find((attempt) => attempt.index === index);
    const attempt = { index, startedAt: known?.startedAt ?? at, endedAt: at, outcome, result };
    this.tries.set(stepId, [...before.filter((other) => other.index !== index), attempt]);
  }

  private revised(seq: number, event: Extract<RunEvent, { type: 'plan-revised' }>): void {
    const { revision, patch, source, reason, at } = event;
    const byPerson = event.answers !== undefined;
    for (const change of patch) {
      if (change.op !== 'insert') continue;
      const target = change.steps[0]?.repairs;
      const stepIds = change.steps.map(({ id }) => id);
      for (const id of stepIds) this.born.set(id, seq);
      if (target === undefined) continue;
      const open = this.mends.findLast((mend) => mend.stepId === target && mend.status === 'proposed');
      if (open !== undefined) this.replace(open, { stepIds, revision, status: 'applied' });
      else
        this.remember(
          { ...blank(`r${revision}`, target, at, seq), stepIds, revision, byPerson, ...said(reason, source) },
          target,
        );
    }
    const changed = patch.flatMap((change) => (change.op === 'replace' ? [change.stepId] : []));
    for (const id of changed) {
      const open = this.mends.findLast((mend) => mend.stepId === id && mend.status === 'proposed');
      if (open !== undefined) this.replace(open, { revision, status: 'applied' });
      else if (byPerson && this.attempts(id).at(-1)?.outcome === 'failed')
        this.remember(
          { ...blank(`r${revision}`, id, at, seq), revision, byPerson, ...said(reason, source) },
          id,
        );
    }
  }

  /** Events of the agentic loop. Read loosely: a journal of a later version must not break this page. */
  private machine(seq: number, event: Loose): void {
    const text = (key: string) => (typeof event[key] === 'string' ? (event[key] as string) : '');
    const mend = this.mends.findLast(({ id }) => id === event['correctionId']);
    switch (event.type) {
      case 'agent-thinking': {
        const attemptIndex = Number(event['attemptIndex'] ?? 0);
        this.thinking = { stepId: text('stepId'), attemptIndex, since: event.at, text: text('text') };
        return;
      }
      case 'correction-attempt':
        this.thinking = null;
        this.remember(
          {
            ...blank(text('correctionId'), text('stepId'), event.at, seq),
            correction: (event['correction'] as Correction | undefined) ?? null,
            status: 'proposed',
          },
          text('stepId'),
        );
        return;
      case 'correction-refused':
        if (mend !== undefined)
          this.replace(mend, { status: 'refused', message: text('message') || text('code') });
        return;
      case 'retry-attempt':
        if (mend?.status === 'proposed') this.replace(mend, { status: 'applied' });
        return;
      case 'correction-success':
        if (mend !== undefined) this.replace(mend, { status: 'succeeded' });
        return;
      case 'correction-failed':
        if (mend !== undefined) this.replace(mend, { status: 'failed', message: text('message') });
        return;
      case 'agent-stuck':
      case 'agent-error':
      case 'plan-cancelled':
        this.thinking = null;
    }
  }

  private remember(mend: Mend, stepId: string): void {
    const afterAttempt = Math.max(0, this.attempts(stepId).length - 1);
    const whole = { ...mend, afterAttempt };
    this.mendings += 1;
    this.mends.push(whole);
    this.mended.set(stepId, [...this.mendsOf(stepId), whole]);
  }

  private replace(mend: Mend, change: Partial<Mend>): void {
    const next = { ...mend, ...change };
    this.mendings += 1;
    this.mends[this.mends.indexOf(mend)] = next;
    this.mended.set(
      mend.stepId,
      this.mendsOf(mend.stepId).map((other) => (other === mend ? next : other)),
    );
  }
}

const blank = (id: string, stepId: string, at: number, seq: number): Mend => ({
  id,
  stepId,
  afterAttempt: 0,
  at,
  seq,
  correction: null,
  stepIds: [],
  byPerson: false,
  status: 'applied',
  message: null,
  revision: null,
});

/** A revision that no correction event announced still says its reason and who made it. */
const said = (reason: string, source: string): Partial<Mend> => ({
  correction: {
    action: 'insert_steps',
    reasoning: reason,
    confidence: 1,
    source: { brain: source === 'person' ? 'person' : 'rule', name: source },
  },
});
