import assert from 'node:assert/strict';
import {
  committed,
  type EventOf,
  evolve,
  fold,
  hashPlan,
  initialRunState,
  isRequest,
  type RunEvent,
  type RunRow,
  type RunState,
  type ServiceState,
  type StepResult,
  type StoredEvent,
  stepState,
} from '../../src/core/contract/index.ts';
import { openQuestion, waitingFor } from '../../src/core/contract/told/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { projectRow } from '../../src/core/stream/index.ts';

import { AgentObserver } from './agent-observer.ts';
import { promise } from './promise.ts';
import { UndoObserver } from './undo-observer.ts';
import type { SimulatedWorkspace } from './workspace.ts';

/** A loop is completed as a whole after its last item. */
const isAggregate = ({ message, exitCode }: StepResult) => exitCode === null && message !== undefined;
/** What a call of the planner came to; what nobody was called for has no model. */
const endsCall = (event: RunEvent): boolean =>
  event.type === 'planner-call-failed' ||
  event.type === 'draft-received' ||
  (event.type === 'goal-restated' && event.restatement !== null) ||
  (event.type === 'hints-given' && event.by === 'model');

/** Somebody says no to what another has approved for this step. */
const denies =
  ({ approvals }: RunState, stepId: string) =>
  ({ request }: RunState['inbox'][number]): boolean =>
    request.type === 'approval-decided' &&
    request.decision !== 'approve' &&
    approvals.some(
      ({ id, stepId: of, status }) => id === request.approvalId && of === stepId && status === 'granted',
    );

const neverStarted = new Set(['denied', 'blocked', 'unsupported', 'precheck']);

export interface SideEffect {
  stepId: string;
  attemptIndex: number;
  item: number | null;
  epoch: number;
  /** The driver died, or lost its claim, before it could write what came of it. */
  orphaned: boolean;
  killed: boolean;
}

/** How often a snapshot is gone on from: in one world of twenty at every place, in the others at places that differ from world to world. */
const snapshotEvery = 20;

/**
 * Watches every event as it becomes durable and every side effect as it happens, and holds them against
 * the promises. It believes the journal and its own books, never the driver.
 */
export class Observer {
  state: RunState = initialRunState;
  /** The same, gone on with from snapshots: it must not make a difference. */
  #resumed: RunState = initialRunState;
  row: RunRow | null = null;
  readonly effects: SideEffect[] = [];
  readonly seen = new Set<string>();
  readonly #agent = new AgentObserver();
  readonly #undo: UndoObserver;
  readonly #pending = new Map<number, RunEvent['type']>();
  readonly #answeredNow = new Set<number>();
  #accepted = new Map<string, number>();
  #started = new Map<string, number>();

  readonly #seed: number;

  constructor(workspace: SimulatedWorkspace, seed: number) {
    this.#seed = seed;
    this.#undo = new UndoObserver(workspace);
  }

  /** One transaction's events. */
  appended(batch: StoredEvent[]): void {
    this.#answeredNow.clear();
    this.#noteOutcomes(batch);
    for (const stored of batch) this.#event(stored);
  }

  #event(stored: StoredEvent): void {
    const { seq, event } = stored;
    const before = this.state;
    this.seen.add(event.type);
    promise(seq === before.seq + 1, `no gap, no duplicate: ${seq} after ${before.seq}`);
    if (isRequest(event)) this.#pending.set(seq, event.type);
    else this.#fact(before, event);
    this.state = evolve(before, stored);
    this.row = projectRow(runKind, this.row, stored);
    const every = this.#seed % snapshotEvery === 0 ? 1 : snapshotEvery;
    if ((seq + this.#seed) % every === 0) this.#resumed = JSON.parse(JSON.stringify(this.#resumed));
    this.#resumed = evolve(this.#resumed, stored);
    promise(this.state.unreadable.length === 0, `every event fits: ${this.state.unreadable}`);
    promise(
      this.row?.state === this.state.status,
      `${event.type}: row says ${this.row?.state}, state ${this.state.status}`,
    );
    promise(
      this.row.unanswered.map((request) => request.seq).join() ===
        this.state.inbox.map((pending) => pending.seq).join(),
      `${event.type}: the row knows what nobody has answered`,
    );
    promise(
      (this.row.endedAt !== null) === this.state.ended,
      `${event.type}: the row knows whether it has ended`,
    );
    promise(
      this.row?.stopReason === this.state.stopReason,
      `${event.type}: row and state give one stop reason`,
    );
    const question = openQuestion(this.state);
    const asked = question === null ? null : waitingFor[question.kind];
    promise(
      this.row.waitingFor === asked,
      `${event.type}: the row waits for ${this.row.waitingFor}, and ${asked} is open`,
    );
    const done = this.state.steps.filter((step) => step.status === 'done').length;
    promise(this.row.stepsTotal === this.state.steps.length, 'the row counts the steps');
    promise(
      this.row.stepsDone === done,
      `${event.type}: the row counts ${this.row.stepsDone} done, state ${done}`,
    );
    promise(
      this.row.tokens === committed(this.state.spending).tokens,
      `${event.type}: the row counts the tokens`,
    );
    for (const step of before.steps) {
      const now = stepState(this.state, step.id);
      // Only what a step had started can be missed, and then it is begun again.
      const isGone = ({ stepId, status }: ServiceState) => stepId === step.id && status === 'gone';
      const isMissed =
        event.type === 'service-missed' && event.stepId === step.id && before.services.some(isGone);
      if (step.status === 'done' && !isMissed)
        promise(now?.status === 'done', `done step ${step.id} stays done`);
    }
  }

  #fact(before: RunState, event: Exclude<RunEvent, { key: string }>): void {
    if ('answers' in event && event.answers !== undefined) {
      const open = this.#pending.delete(event.answers);
      promise(open || this.#answeredNow.has(event.answers), `request ${event.answers} is answered once`);
      this.#answeredNow.add(event.answers);
    }
    if (event.type === 'request-refused') {
      const refused = before.inbox.find(({ seq }) => seq === event.answers);
      const late = (stepId: string) => stepState(before, stepId)?.status !== 'pending';
      const isLate =
        refused === undefined || before.steps.every(({ id }) => late(id) || !denies(before, id)(refused));
      promise(before.ended || isLate, 'a denial of what has not begun counts');
    }
    this.#agent.fact(before, event);
    this.#undo.fact(before, event);
    const late = ['request-refused', 'refused-at-door', 'driver-claimed', 'environment-differs'].includes(
      event.type,
    );
    // A service that is kept outlives its run: a person can still end it.
    const stopsKept =
      event.type === 'services-stopped' && before.services.some(({ status }) => status === 'running');
    promise(!before.ended || late || stopsKept, `nothing happens after the end: ${event.type}`);
    if (event.type === 'driver-claimed') promise(event.epoch > before.epoch, 'epochs grow');
    if (
      event.type === 'step-accepted' ||
      event.type === 'item-completed' ||
      (event.type === 'interrupt-resolved' && event.decision !== 'skip')
    ) {
      this.#accepted.set(event.stepId, (this.#accepted.get(event.stepId) ?? 0) + 1);
    }
    if (event.type === 'interrupt-resolved' && event.decision === 'rerun' && event.answers === undefined)
      promise(before.interrupted?.host === undefined, 'what was begun elsewhere is not begun here unasked');
    if (event.type === 'planner-called') this.#called(before, event);
    if (event.type === 'step-interrupted') this.#interrupted(event);
    if (event.type === 'step-started') this.#stepStarted(before, event);
    if (event.type === 'process-spawned') {
      const flight = before.inFlight;
      promise(
        flight?.stepId === event.stepId && flight.attemptIndex === event.attemptIndex,
        'only the attempt in flight has a process',
      );
    }
    if (event.type === 'plan-revised')
      promise(event.revision === before.plan!.revision + 1, 'revisions grow by one');
  }

  #called(
    { planning, status, inFlight, options }: RunState,
    { call, model }: EventOf<'planner-called'>,
  ): void {
    const waiting = [...this.#pending.values()];
    promise(!waiting.includes('cancel-requested'), 'no call starts over a cancel');
    promise(!waiting.includes('pause-requested'), 'no call starts over a pause');
    promise(planning?.inFlight === null && inFlight === null, 'one effect at a time');
    promise(status === 'planning', `no call starts while ${status}`);
    promise(planning.asked <= (options!.limits.drafts ?? 12), 'no more drafts than may be asked for');
    const turn = planning.chain.planner[planning.position.planner]?.model;
    promise(call !== 'plan' || model.model === turn, 'after three rejections the next model is asked');
    promise(planning.question === null, 'no call starts over an open question');
  }

  #interrupted(event: { stepId: string; attemptIndex: number; finding: string }): void {
    const effect = this.#effect(event.stepId, event.attemptIndex);
    if (event.finding === 'not-started') {
      promise(effect === undefined, 'a step that ran is not called not started');
      this.#accepted.set(event.stepId, (this.#accepted.get(event.stepId) ?? 0) + 1);
    }
    promise(effect === undefined || effect.orphaned, 'an outcome that a living driver knew is not lost');
  }

  #stepStarted(before: RunState, event: EventOf<'step-started'>): void {
    const { stepId, attemptIndex, at, item = null } = event;
    const waiting = [...this.#pending.values()];
    promise(!waiting.includes('cancel-requested'), 'no step starts over a cancel');
    promise(!waiting.includes('pause-requested'), 'no step starts over a pause');
    promise(!before.inbox.some(denies(before, stepId)), 'no step starts over a denial');
    promise(before.inFlight === null, 'one effect at a time');
    promise(
      before.status === 'running' || before.status === 'waiting' || before.status === 'recovering',
      `no step starts while ${before.status}`,
    );
    const step = before.plan!.steps.find((candidate) => candidate.id === stepId)!;
    const own = stepState(before, stepId)!;
    promise(own.status === 'pending', `only a pending step starts, not a ${own.status} one`);
    promise(own.attempts === attemptIndex, 'attempts are numbered from 0 without a gap');
    promise((own.loop?.done ?? null) === item, 'the items of a loop come one after the other');
    for (const id of step.after ?? []) {
      const dependency = stepState(before, id)!;
      const met = dependency.status === 'done' || dependency.skipReason === 'not-selected';
      promise(met, `${stepId} starts only after ${id}`);
    }
    const timeout = step.timeoutMs ?? before.options!.stepTimeoutMs;
    const due = timeout === null ? null : at + timeout;
    promise(event.deadline === due, `${stepId} has the time that it or its run was given`);
    const { wallMs } = before.options!.limits;
    if (wallMs !== null && before.activeSince !== null) {
      promise(before.activeMs + at - before.activeSince < wallMs, 'no step starts when the time is used up');
    }
    if (before.options!.mode === 'teacher') {
      const started = (this.#started.get(stepId) ?? 0) + 1;
      this.#started.set(stepId, started);
      promise(started <= (this.#accepted.get(stepId) ?? 0), 'in teacher mode a person starts each step');
    }
  }

  /** The side effect of an attempt takes place now. */
  sideEffect(effect: SideEffect, allowed: { level: string; approved: boolean }): void {
    const { stepId, attemptIndex } = effect;
    const flight = this.state.inFlight;
    promise(
      flight?.stepId === stepId &&
        flight.attemptIndex === attemptIndex &&
        (flight.spawned !== null || flight.prepared !== null),
      'the intent and what tells it after a crash are durable before the effect',
    );
    promise(flight.epoch === effect.epoch, 'a driver whose epoch is old does nothing');
    promise(allowed.level !== 'blocked', 'a blocked action never runs');
    promise(
      allowed.level !== 'dangerous' || allowed.approved,
      'a dangerous action runs only as it was approved',
    );
    promise(this.#effect(stepId, attemptIndex) === undefined, 'an attempt happens once');
    this.#undo.sideEffect(this.state, stepId, attemptIndex, allowed.level);
    for (const earlier of this.effects.filter((e) => e.stepId === stepId && e.item === effect.item)) {
      promise(this.#mayRepeat.has(`${stepId} ${earlier.attemptIndex}`), `${stepId} is not silently repeated`);
    }
    this.effects.push(effect);
  }

  readonly #mayRepeat = new Set<string>();

  /** Which earlier attempts are known to have failed, or were given up by a decision. */
  #noteOutcomes(batch: StoredEvent[]): void {
    for (const { event } of batch) {
      if (
        event.type === 'step-failed' ||
        (event.type === 'interrupt-resolved' && event.decision === 'rerun')
      ) {
        this.#mayRepeat.add(`${event.stepId} ${event.attemptIndex}`);
      }
      // A person asked for the step once more, or what it had started is gone.
      if (event.type === 'step-reset' || event.type === 'service-missed') {
        for (const { stepId, attemptIndex } of this.effects) {
          if (stepId === event.stepId) this.#mayRepeat.add(`${stepId} ${attemptIndex}`);
        }
      }
    }
  }

  #effect(stepId: string, attemptIndex: number): SideEffect | undefined {
    return this.effects.find((e) => e.stepId === stepId && e.attemptIndex === attemptIndex);
  }

  /** At the end of a world, whatever happened in it. */
  finish(events: StoredEvent[]): void {
    const refolded = fold(events);
    assert.deepEqual(refolded, this.state);
    assert.equal(
      JSON.stringify(this.#resumed),
      JSON.stringify(refolded),
      'a snapshot and its tail are the whole',
    );
    promise(this.#pending.size === 0, `every request is answered: ${[...this.#pending.values()]}`);
    promise(refolded.inbox.length === 0, 'the inbox is empty');
    promise(refolded.ended, 'a cancelled run ends');
    promise(refolded.inFlight === null, 'nothing is in flight at the end');
    promise(refolded.groups.length === 0, 'no process is left over');
    const left = refolded.services.filter(({ status, keep }) => status === 'running' && !keep);
    promise(left.length === 0, 'services end with their run');
    const kept = refolded.services.filter(({ status }) => status === 'running').map(({ name }) => name);
    promise(
      JSON.stringify(kept.sort()) === JSON.stringify(this.row?.services.map(({ name }) => name).sort()),
      'the row lists the services that still run',
    );
    if (refolded.plan !== null)
      promise(hashPlan(refolded.plan) === refolded.planHash, 'the hash is that of the plan');
    promise(!refolded.planning?.inFlight, 'no call is in flight at the end');
    const calls = events.filter(({ event }) => event.type === 'planner-called').length;
    const ends = events.filter(({ event }) => endsCall(event)).length;
    promise(calls === ends, `each of ${calls} model calls has one outcome, not ${ends}`);
    const starts = events.filter(({ event }) => event.type === 'step-started').length;
    const outcomes = events.filter(
      ({ event }) =>
        (event.type === 'step-completed' && event.by !== 'person' && !isAggregate(event.result)) ||
        event.type === 'item-completed' ||
        event.type === 'step-interrupted' ||
        (event.type === 'step-failed' && !neverStarted.has(event.result.why ?? '')),
    ).length;
    promise(starts === outcomes, `each of ${starts} intents has one outcome, not ${outcomes}`);
  }
}
