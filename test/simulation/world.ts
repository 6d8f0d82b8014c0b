import {
  type Driver,
  fingerprint,
  nowhere,
  type ProcessGroup,
  type RequestBody,
  type RequestEvent,
  type RunEvent,
  type Step,
  type StepResult,
  type StoredEvent,
  type Subject,
  type Verdict,
} from '../../src/core/contract/index.ts';
import {
  type AttemptHooks,
  type AttemptWork,
  createRunMachine,
  failedResult,
  type JudgeWork,
  type Performer,
  type Recovered,
  type RecoverWork,
  type RunMachine,
  type RunPorts,
  type SourcePort,
} from '../../src/core/run/index.ts';
import { keptRuns } from '../../src/core/run/kept.ts';
import { type Append, type Permit, redeemPermit } from '../../src/core/stream/index.ts';
import { type Fault, SimulatedJournal } from './journal.ts';
import { randomGrants, randomMind } from './mind.ts';
import { Observer, type SideEffect } from './observer.ts';
import { anyRequest, asEvent, helpfulRequest } from './people.ts';
import { randomChain, simulatedPlanner } from './planner.ts';
import { randomPlan, type StepTruth, truthOf, undoOptions } from './plans.ts';
import { broken, promise } from './promise.ts';
import { createRandom, type Random } from './random.ts';
import { driveLife, type Life, microtasks, randomFault, SimulatedTime } from './stage.ts';
import { SimulatedWorkspace } from './workspace.ts';

/** Where a planted bug takes hold. Each wraps a part of the real thing; the default is the real thing. */
export interface Mutant {
  name: string;
  machine?: (machine: RunMachine) => RunMachine;
  performer?: (performer: Performer, world: World) => Performer;
  append?: (append: Append<RunEvent>) => Append<RunEvent>;
}

export interface WorldReport {
  events: number;
  seen: Set<string>;
  effectKinds: Set<string>;
  conflicts: number;
  stale: number;
  repeated: number;
  crashes: number;
}

const MAX_EVENTS = 3000;

/** One seeded world, from a random plan to the run's end. Throws BrokenPromise where a promise does not hold. */
export async function simulate(seed: number, mutant?: Mutant): Promise<WorldReport> {
  const world = new World(seed, mutant);
  await world.live();
  if (broken[0] !== undefined) throw broken[0];
  return world.report();
}

export class World {
  readonly random: Random;
  readonly journal = new SimulatedJournal<RunEvent>('run', (batch) => this.#appended(batch));
  readonly workspace: SimulatedWorkspace;
  readonly #people: Random;
  readonly observer: Observer;
  readonly time = new SimulatedTime();
  readonly #mutant: Mutant | undefined;
  readonly #truths = new Map<string, StepTruth>();
  readonly #approved = new Set<string>();
  readonly #held = new Set<string>();
  readonly #written = new Map<string, number>();
  /** Process groups of services that live. */
  readonly #living = new Set<number>();
  readonly #effectKinds = new Set<string>();
  /** It comes from a git source: any machine may take it up. */
  readonly #isSourced: boolean;
  #boot = 1;
  #keys = 0;
  #crashes = 0;
  #nested = 0;
  #driving = 0;
  #calm = false;
  #pathsVersion = 0;

  constructor(seed: number, mutant?: Mutant) {
    this.random = createRandom(seed);
    // Of its own, so that worlds without checkpoints are what they would be without this.
    this.#people = createRandom(seed + 1_000_000_007);
    this.workspace = new SimulatedWorkspace(this.#people);
    this.observer = new Observer(this.workspace, seed);
    this.#mutant = mutant;
    this.#isSourced = seed % 5 === 0;
  }

  async live(): Promise<void> {
    broken.length = 0;
    const { plan, hash, options: plain } = randomPlan(this.random);
    const options = { ...plain, ...undoOptions(this.#people) };
    const at = this.now;
    const place = { host: 'h', boot: 'boot1', workspace: '/w' };
    const given = { place, environment: { PATH: 'p' }, sealed: ['s'] };
    const created: RunEvent = this.random.chance(0.7)
      ? { v: 1, type: 'plan-created', at, plan, hash, ...given, options, ...this.#source() }
      : {
          v: 1,
          type: 'goal-given',
          at,
          goal: 'simulate',
          ...given,
          options: { ...options, excluded: [] },
          chain: randomChain(this.random),
        };
    this.#append({ id: 'create', events: [created], expectedSeq: 0 });
    const rounds = 6 + this.random.int(30);
    for (let round = 0; round < rounds && !this.observer.state.ended; round += 1) {
      await this.#activate();
      if (broken[0] !== undefined) throw broken[0];
      this.#between();
    }
    this.#calm = true;
    for (let round = 0; round < 40 && !this.#isOver(); round += 1) {
      if (!this.observer.state.ended) this.ask({ type: 'cancel-requested' });
      await this.#activate();
    }
    this.observer.finish(this.journal.events);
  }

  #source() {
    const gitSource = { url: 'https://example.org/r.git', commit: 'c'.repeat(40) };
    return this.#isSourced ? { gitSource, place: nowhere } : {};
  }

  #isOver(): boolean {
    const { ended, inbox } = this.observer.state;
    return ended && inbox.length === 0;
  }

  report(): WorldReport {
    const { journal, observer } = this;
    return {
      events: journal.events.length,
      seen: observer.seen,
      effectKinds: this.#effectKinds,
      conflicts: journal.refused.conflict,
      stale: journal.refused.stale,
      repeated: journal.repeated,
      crashes: this.#crashes,
    };
  }

  /** People act while nobody drives. */
  #between(): void {
    this.time.tick(this.random.int(3000));
    if (this.random.chance(0.05)) this.time.now += 3_600_000 * this.random.int(20);
    if (this.random.chance(0.2)) this.#pathsVersion += 1;
    const { steps } = this.observer.state;
    if (steps.length > 0 && this.#people.chance(0.2)) this.workspace.edit(this.#people.pick([...steps]).id);
    const helpful = helpfulRequest(this.random, this.observer.state);
    if (helpful !== null && this.random.chance(0.9)) {
      this.ask(helpful);
      // Somebody at another door says no, a moment later.
      if (helpful.type === 'approval-decided' && this.#people.chance(0.15))
        this.ask({ ...helpful, decision: 'deny' });
    } else if (this.random.chance(0.3)) this.ask(anyRequest(this.random, this.observer.state, this.now));
  }

  ask(body: RequestBody): void {
    const event = asEvent(body, this.now, `key${++this.#keys}`);
    if (event.type === 'approval-decided' && event.decision === 'approve') {
      const asked = this.journal.events.find(
        ({ event: e }) => e.type === 'approval-needed' && e.approvalId === event.approvalId,
      );
      if (asked?.event.type === 'approval-needed') this.#approved.add(fingerprint(asked.event.subject));
    }
    if (this.#keys % 17 === 0) this.#turnAway(event);
    const append = { id: event.key, events: [event] };
    this.#append(append);
    // People press twice.
    if (this.random.chance(0.1)) this.#append(append);
  }

  /** A process of the run asked the same first, and a door sent it away. */
  #turnAway({ type, by, key }: RequestEvent): void {
    const from = { run: 'run', step: 's1', pid: 7 };
    const event = keptRuns.turnedAway!({ by, asked: type, from, message: 'it may only look' }, this.now);
    this.#append({ id: `door:${key}`, events: [event] });
  }

  #append(append: Append<RunEvent>) {
    return this.journal.append(this.#mutant?.append?.(append) ?? append);
  }

  #appended(batch: StoredEvent[]): void {
    promise(this.journal.events.length < MAX_EVENTS, 'a run does not run away');
    this.observer.appended(batch);
  }

  /** Somebody claims the run and drives it until it rests, dies, or is overtaken. */
  async #activate(): Promise<void> {
    const epoch = ++this.journal.epoch;
    // Whoever was still driving is overtaken.
    if (this.#driving > 0) this.#orphan();
    this.#driving += 1;
    try {
      await this.#driveAs(epoch);
    } finally {
      this.#driving -= 1;
    }
  }

  #orphan(): void {
    for (const effect of this.observer.effects) effect.orphaned = true;
  }

  async #driveAs(epoch: number): Promise<void> {
    // Now and then somebody on another host has a try.
    const host = !this.#calm && epoch % 7 === 0 ? 'elsewhere' : 'h';
    const driver: Driver = { pid: epoch, host, boot: `boot${this.#boot}` };
    const alive = { yes: true };
    const lost = new AbortController();
    const life: Life = { epoch, driver, alive, lost };
    const machine = this.#machine(life);
    const outcome = await driveLife({
      machine: {
        ...machine,
        next: (state, now) => {
          const effect = machine.next(state, now);
          const mayDo =
            state.place.host === host || (effect.kind === 'perform' && effect.work.kind === 'take');
          promise(effect.kind !== 'perform' || mayDo, 'nothing is done on another host');
          return effect;
        },
      },
      journal: this.journal,
      clock: this.time.clock((until) => this.#sitOut(until)),
      life,
      fault: () => this.#fault(),
      newId: () => `a${++this.#keys}`,
      append: this.#mutant?.append,
      onSaid: (kind) => this.#effectKinds.add(kind),
    });
    if (outcome === null) return this.#died();
    const { state, ...rest } = outcome;
    if (rest.why === 'waiting' && state.status !== 'agreeing') {
      promise(state.options?.onAsk === 'wait', 'with nobody to ask a run does not wait');
    }
    if (rest.why === 'waiting')
      promise(state.status === 'waiting' || state.status === 'agreeing', 'a waiting run says so');
    if (rest.why === 'finished') promise(state.ended, 'finished means ended');
  }

  #died(): void {
    this.#crashes += 1;
    this.#orphan();
    if (this.random.chance(0.2)) this.#boot += 1;
  }

  #fault(): Fault {
    if (this.#calm) return {};
    return randomFault(
      this.random,
      () => this.ask(anyRequest(this.random, this.observer.state, this.now)),
      () => {
        this.journal.epoch += 1;
        this.#orphan();
      },
    );
  }

  /** With nothing in flight the driver sits out a short wait: time passes for it. */
  #sitOut(until: number): void {
    const { inFlight, thinking, planning } = this.observer.state;
    if (inFlight !== null || thinking !== null || planning?.inFlight) return;
    queueMicrotask(() => {
      if (this.random.chance(0.3) && !this.#calm) {
        this.ask(anyRequest(this.random, this.observer.state, this.now));
      }
      this.time.tick(Math.max(0, until - this.now));
    });
  }

  get now(): number {
    return this.time.now;
  }

  #machine(life: Life): RunMachine {
    const performer = this.#performer(life);
    const { mind } = randomMind(
      this.random,
      (signal) => this.#whileThinking(life, signal),
      () => `call${++this.#keys}`,
    );
    const ports: RunPorts = {
      performer: this.#mutant?.performer?.(performer, this) ?? performer,
      checkpoints: this.workspace.port(
        (kind) => this.#effectKinds.add(kind),
        () => this.#calm,
        () => {
          life.alive.yes = false;
        },
      ),
      mind: {
        consult: (work, calls) => {
          this.#effectKinds.add('consult');
          return mind.consult(work, calls);
        },
        summarise: (context, oldest, calls) => {
          this.#effectKinds.add('summarise');
          return mind.summarise!(context, oldest, calls);
        },
        learn: (correction, outcome, signal) => {
          this.#effectKinds.add('learn');
          return mind.learn(correction, outcome, signal);
        },
      },
      planner: simulatedPlanner(this.random, (signal) => {
        this.#effectKinds.add('plan');
        return this.#whileThinking(life, signal);
      }),
    };
    // Now and then a driver has another environment.
    const differs = {
      type: 'environment-differs' as const,
      added: ['A_TOKEN'],
      removed: [],
      changed: [],
      sealed: ['x'],
    };
    if (this.#isSourced) ports.source = this.#sourcePort(life);
    const takes = this.#isSourced && (this.#calm || life.epoch % 2 === 0);
    const machine = createRunMachine('run', life.driver, ports, life.epoch % 5 === 0 ? differs : null, takes);
    return this.#mutant?.machine?.(machine) ?? machine;
  }

  #sourcePort({ driver: { host, boot }, epoch }: Life): SourcePort {
    return {
      take: async () => {
        this.#effectKinds.add('take');
        return !this.#calm && epoch % 11 === 0
          ? { ok: false, message: 'it could not be reached' }
          : { ok: true, place: { host, boot, workspace: `/w/${host}` } };
      },
      carry: async ({ carried }) => {
        if (!this.#calm && epoch % 13 === 0) return { ok: false, message: 'it is too much' };
        const commit = `${(carried?.parcels.length ?? 0) + 1}`;
        return { ok: true, parcel: { name: commit, bytes: 1, commit, refs: {}, folders: [] } };
      },
    };
  }

  truth(step: Step): StepTruth {
    const key = JSON.stringify([step.id, step.action]);
    const known = this.#truths.get(key) ?? truthOf(this.random);
    this.#truths.set(key, known);
    return known;
  }

  #subject({ step, session, revision, items, grants }: JudgeWork): Subject {
    const paths = [`/w/${step.id}/${this.#pathsVersion}`];
    const about = { run: 'run', stepId: step.id, revision, action: step.action, cwd: session.cwd, paths };
    const may = grants === null ? {} : { grants };
    return items === null ? { ...about, ...may } : { ...about, ...may, items: items.join() };
  }

  #performer(life: Life): Performer {
    return {
      judge: async (work: JudgeWork) => {
        this.#effectKinds.add('judge');
        const { level } = this.truth(work.step);
        const verdict: Verdict = { level, reasons: [], reversible: true, needs: [], paths: [] };
        const told = this.random.chance(0.05)
          ? { warnings: [{ message: 'it is not there', said: 'not found', exitCode: 127 }] }
          : {};
        return { verdict, subject: this.#subject(work), ...told };
      },
      attempt: (work, permit, hooks) => this.#attempt(life, work, permit, hooks),
      recover: async (work) =>
        work.host === life.driver.host
          ? this.#recover(work)
          : { finding: 'unknown', detail: 'it was begun elsewhere' },
      release: async (_run, groups, services) => {
        this.#effectKinds.add('release');
        for (const { group } of services) this.#living.delete(group.pgid);
        return groups;
      },
      endServices: async (_run, services) => {
        this.#effectKinds.add('stop');
        const ended = services.filter(() => this.random.chance(0.9));
        for (const { group } of ended) this.#living.delete(group.pgid);
        return ended.map(({ name }) => name);
      },
      survey: async (_run, services) => {
        this.#effectKinds.add('survey');
        for (const { group } of services) if (this.random.chance(0.1)) this.#living.delete(group.pgid);
        return services.filter(({ group }) => !this.#living.has(group.pgid)).map(({ name }) => name);
      },
    };
  }

  async #attempt(life: Life, work: AttemptWork, permit: Permit, hooks: AttemptHooks): Promise<StepResult> {
    this.#effectKinds.add('attempt');
    const { step, attemptIndex } = work;
    if (this.random.chance(0.03)) this.#pathsVersion += 1;
    // An item of a loop is covered by what was judged of all of them, while the world is as it was.
    const subject = this.#subject(work);
    if (!redeemPermit(permit, subject)) return failedResult('internal', 'the permit is not for this');
    promise(!redeemPermit(permit, subject), 'a permit serves once');
    const truth = this.truth(step);
    const { host, boot } = life.driver;
    const group: ProcessGroup = { pgid: 1000 + this.#keys, startTime: `${this.now}`, host, boot };
    const mark = `${step.id} ${work.item}`;
    const isFile = step.action.kind === 'write-file';
    const heldBefore = truth.checkable ? this.#held.has(mark) : null;
    const durable = isFile
      ? await hooks.prepared([{ path: step.id, before: 'absent', after: `file:${attemptIndex}` }])
      : await hooks.spawned(group, heldBefore);
    if (!durable) return failedResult('not-started', 'the claim was lost');
    const effect: SideEffect = {
      stepId: step.id,
      attemptIndex,
      item: work.item,
      epoch: life.epoch,
      // Somebody may claim the run between the record and the opening of the gate.
      orphaned: life.epoch !== this.journal.epoch,
      killed: false,
    };
    const approved = this.#approved.has(fingerprint(subject));
    promise(work.grants === null || approved, 'what a sandbox keeps from a step is given by a person alone');
    this.observer.sideEffect(effect, {
      level: truth.level,
      approved,
    });
    this.workspace.files.set(step.id, `${attemptIndex} ${work.item}`);
    const succeeds = this.random.chance(truth.succeeds);
    if (!isFile && this.random.chance(0.05)) await hooks.listening([8080]);
    const deadline = this.observer.state.inFlight?.deadline ?? null;
    for (let tick = this.random.int(4); tick > 0; tick -= 1) {
      await this.#meanwhile(life, effect, step.id);
      if (hooks.signal.aborted) {
        return failedResult(hooks.signal.reason === 'timeout' ? 'timeout' : 'aborted', 'ended');
      }
      const current = life.alive.yes && life.epoch === this.journal.epoch;
      if (current && deadline !== null) promise(this.now < deadline, 'a step is ended at its deadline');
      if (current) {
        const { inbox, options, activeSince, activeMs } = this.observer.state;
        const used = activeSince === null ? 0 : activeMs + this.now - activeSince;
        promise(used < (options?.limits.wallMs ?? Infinity), 'a step is ended when the time is used up');
        promise(!inbox.some(({ request }) => edits(request, step.id)), 'a step in flight is not edited');
        const cancels = inbox.some(({ request }) => request.type === 'cancel-requested');
        promise(!cancels, 'cancel ends the step in flight');
      }
      if (effect.killed) return failedResult('signal', 'killed');
    }
    if (succeeds && truth.checkable) this.#held.add(mark);
    if (succeeds && isFile) this.#written.set(step.id, attemptIndex);
    const ran = { ...failedResult('exit-code', 'ran'), leftover: this.random.chance(0.08), exitCode: 1 };
    if (!succeeds && this.random.chance(0.08)) {
      const denied = failedResult('sandbox-denied', 'its sandbox kept it from that');
      return this.random.chance(0.9) ? { ...denied, missing: randomGrants(this.random) } : denied;
    }
    if (!succeeds)
      return { ...ran, stderrTail: `failed as ${this.random.int(3) === 0 ? 'before' : 'never'}` };
    const { why: _why, message: _message, ...done } = ran;
    return { ...done, exitCode: 0, ...this.#fruits(work, group) };
  }

  /** What an action leaves besides its exit code. */
  #fruits({ step: { action }, session, item }: AttemptWork, group: ProcessGroup): Partial<StepResult> {
    if (action.kind === 'start') {
      this.#living.add(group.pgid);
      return { leftover: false, service: { name: action.name, state: 'started', keep: action.keep } };
    }
    if (action.kind === 'stop') return { service: { name: action.name, state: 'stopped', keep: false } };
    if (action.kind === 'list-files') {
      const value = Array.from({ length: this.random.int(4) }, (_, n) => `/w/file${n}`);
      return { captured: { key: action.as, value } };
    }
    if (item !== null || action.kind === 'write-file') return {};
    const cwd = this.random.chance(0.2) ? `/w/d${this.random.int(3)}` : session.cwd;
    return { session: { cwd, env: {} } };
  }

  /** While a step runs: time passes, people ask, another driver takes over. */
  async #meanwhile(life: Life, effect: SideEffect, stepId: string): Promise<void> {
    if (!this.#calm && this.random.chance(0.15)) {
      const { state } = this.observer;
      this.ask(
        this.random.chance(0.3)
          ? { type: 'skip-requested', stepId }
          : anyRequest(this.random, state, this.now),
      );
    }
    await microtasks();
    this.time.tick(this.random.int(4000));
    await microtasks();
    if (this.#calm || this.#nested > 0 || !this.random.chance(0.04)) return;
    if (this.random.chance(0.5)) life.lost.abort('lost');
    // The new driver ends this attempt's processes and takes the run from here.
    effect.killed = true;
    this.#nested += 1;
    await this.#activate();
    this.#nested -= 1;
  }

  /** While a model is asked: time passes, people ask, another driver takes over. */
  async #whileThinking(life: Life, signal: AbortSignal): Promise<void> {
    for (let tick = this.random.int(4); tick > 0 && !signal.aborted; tick -= 1) {
      if (!this.#calm && this.random.chance(0.15)) {
        this.ask(anyRequest(this.random, this.observer.state, this.now));
      }
      await microtasks();
      this.time.tick(this.random.int(4000));
      await microtasks();
      if (signal.aborted) return;
      if (life.alive.yes && life.epoch === this.journal.epoch) {
        const { inbox } = this.observer.state;
        const cancels = inbox.some(({ request }) => request.type === 'cancel-requested');
        promise(!cancels, 'cancel ends the call in flight');
      }
      if (this.#calm || this.#nested > 0 || !this.random.chance(0.04)) continue;
      if (this.random.chance(0.5)) life.lost.abort('lost');
      this.#nested += 1;
      await this.#activate();
      this.#nested -= 1;
    }
  }

  #recover(work: RecoverWork): Recovered {
    this.#effectKinds.add('recover');
    const { step, boot, spawned, prepared, item, attemptIndex } = work;
    const { why: _why, message: _message, ...result } = failedResult('internal', '');
    if (prepared !== null) {
      const isDone = this.#written.get(step.id) === attemptIndex;
      // Whether the change is there can be seen; a step that could not be finished is told from one that was.
      return isDone ? { finding: 'done', result } : { finding: 'unknown', detail: 'half way' };
    }
    if (spawned === null) {
      const same = boot === `boot${this.#boot}`;
      return same
        ? { finding: 'not-started', detail: 'never spawned' }
        : { finding: 'unknown', detail: 'rebooted' };
    }
    if (spawned.heldBefore === false && this.#held.has(`${step.id} ${item}`)) {
      return { finding: 'done', result };
    }
    return { finding: 'unknown', detail: 'nobody knows' };
  }
}

const edits = (request: RequestEvent, stepId: string): boolean =>
  request.type === 'edit-requested' &&
  request.patch.some((change) => (change.op === 'insert' ? change.before : change.stepId) === stepId);
