import { isDeepStrictEqual } from 'node:util';
import { type Actor, defaultOptions, type Plan, type StoredEvent } from '../../src/core/contract/index.ts';
import {
  openRun,
  type ScheduleAgreement,
  type ScheduleEvent,
  type ScheduleFact,
  type ScheduleRequestBody,
  type ScheduleRow,
  type ScheduleState,
} from '../../src/core/contract/schedules/index.ts';
import { createScheduleMachine, LATE_MS, type SchedulePorts } from '../../src/core/schedules/index.ts';
import { keptSchedules } from '../../src/core/schedules/kept.ts';
import { projectRow } from '../../src/core/stream/index.ts';
import { SimulatedJournal } from './journal.ts';
import { broken, promise, promiseSnapshots } from './promise.ts';
import { createRandom, type Random } from './random.ts';
import { driveLife, type Life, randomFault, SimulatedTime } from './stage.ts';

type ScheduleMachine = ReturnType<typeof createScheduleMachine>;

/** Where a planted bug takes hold. */
export interface ScheduleMutant {
  name: string;
  machine?: (machine: ScheduleMachine, ports: SchedulePorts) => ScheduleMachine;
  ports?: (ports: SchedulePorts) => SchedulePorts;
  append?: Parameters<typeof driveLife<ScheduleState, ScheduleEvent, ScheduleFact, never>>[0]['append'];
  /** The end of a run is not told. */
  isDeaf?: boolean;
}

export interface ScheduleReport {
  seen: Set<string>;
  /** Why no run was begun, and why an agreement did not hold. */
  whys: Set<string>;
  conflicts: number;
  stale: number;
  crashes: number;
}

const ana: Actor = { person: 'ana', door: 'page' };
const plan: Plan = { goal: 'g', revision: 0, steps: [] } as unknown as Plan;

/** One seeded world of one schedule. Throws BrokenPromise where a promise does not hold. */
export async function simulateSchedule(
  seed: number,
  mutant: ScheduleMutant = { name: '' },
): Promise<ScheduleReport> {
  const world = new ScheduleWorld(seed, mutant);
  await world.live();
  if (broken[0] !== undefined) throw broken[0];
  return world.report();
}

class ScheduleWorld {
  readonly #random: Random;
  readonly #time = new SimulatedTime();
  readonly #mutant: ScheduleMutant;
  readonly #journal: SimulatedJournal<ScheduleEvent>;
  readonly #every: number;
  /** Runs that the world has begun, with what they were begun for. */
  readonly #runs = new Map<string, { due: number; hash: string; isOver: boolean }>();
  #state: ScheduleState = keptSchedules.initial;
  #row: ScheduleRow | null = null;
  /** What the file says, and whether the variable is set. */
  #file = 'v0';
  #isSet = true;
  #found: { file: string; isSet: boolean } | null = null;
  #versions = 0;
  #keys = 0;
  #crashes = 0;
  #calm = false;
  #isNested = false;

  constructor(seed: number, mutant: ScheduleMutant) {
    this.#random = createRandom(seed);
    this.#mutant = mutant;
    this.#every = this.#random.pick([90_000, 600_000, 3_600_000]);
    this.#journal = new SimulatedJournal('schedule', (batch) => {
      promise(this.#journal.events.length < 600, 'a schedule does not run away');
      for (const stored of batch) {
        this.#hold(stored);
        this.#state = keptSchedules.evolve(this.#state, stored);
        this.#row = projectRow<ScheduleRow>(keptSchedules, this.#row, stored);
      }
    });
  }

  #agreement(): ScheduleAgreement {
    const missed = this.#random.pick(['once', 'skip'] as const);
    const times = { cron: `${this.#every}`, tz: 'UTC', missed };
    const agreed = { plan, hash: this.#file, options: defaultOptions, environment: ['KEY'] };
    return { ...times, source: { file: '/w/plan.yaml' }, ...agreed };
  }

  async live(): Promise<void> {
    broken.length = 0;
    const random = this.#random;
    const place = { host: 'h', boot: 'b', workspace: '/w' };
    const added = { schedule: 's', name: 'n', place, agreement: this.#agreement(), sealed: [], by: ana };
    this.#append([{ v: 1, at: this.#time.now, type: 'schedule-added', ...added }]);
    for (let round = 0; round < 25; round += 1) {
      if (random.chance(0.2)) this.#change();
      if (random.chance(0.4)) this.#ask();
      if (random.chance(0.5)) this.#endRun();
      if (this.#isDue()) await this.#activate();
      if (broken[0] !== undefined) throw broken[0];
      this.#time.tick(random.int(random.pick([20_000, this.#every, 4 * this.#every])));
    }
    await this.#finish();
  }

  report(): ScheduleReport {
    const events = this.#journal.events.map(({ event }) => event);
    return {
      seen: new Set(events.map(({ type }) => type)),
      whys: new Set(events.flatMap((event) => ('why' in event ? [event.why] : []))),
      conflicts: this.#journal.refused.conflict,
      stale: this.#journal.refused.stale,
      crashes: this.#crashes,
    };
  }

  /** As a store says it: drivers come for nothing else. */
  #isDue(): boolean {
    const row = this.#row!;
    if (row.unanswered.length > 0) return true;
    return row.endedAt === null && (row.goesOn || (row.wakeAt ?? Number.POSITIVE_INFINITY) <= this.#time.now);
  }

  /** What is promised of each event, where it stands. */
  #hold({ event }: StoredEvent<ScheduleEvent>): void {
    const state = this.#state;
    if (event.type === 'driver-claimed')
      promise(event.epoch > state.epoch, 'a driver that was overtaken writes nothing');
    if (event.type === 'fired') {
      promise(openRun(state) === null, 'no run is begun beside one that is not over');
      promise(!state.isRemoved, 'what was removed begins nothing');
      promise(state.broken === null, 'what waits to be agreed to begins nothing');
      promise(event.how === 'asked' || !state.isPaused, 'what is paused begins nothing by itself');
      promise(this.#found?.file === state.agreement!.hash, 'a file that has changed is not run');
      promise(this.#found?.isSet === true, 'nothing is run without the variables that it names');
      promise(event.due <= event.at, 'nothing is begun before its time');
      const isSkipped = state.agreement!.missed === 'skip' && event.how === 'time';
      promise(
        !isSkipped || event.at - event.due <= LATE_MS,
        'what was missed is skipped where that was said',
      );
    }
    const isTime = event.type === 'not-fired' || (event.type === 'fired' && event.how === 'time');
    if (isTime) {
      const before = state.firings.findLast(({ how }) => how === 'time');
      promise(before === undefined || before.due < event.due, 'no time is taken twice');
    }
  }

  #append(events: ScheduleEvent[], id = `w${++this.#keys}`): void {
    this.#journal.append({ id, events });
  }

  #change(): void {
    if (this.#random.chance(0.3)) this.#isSet = !this.#isSet;
    else this.#file = this.#random.chance(0.5) ? `v${++this.#versions}` : this.#state.agreement!.hash;
  }

  #ask(): void {
    const { random, state } = { random: this.#random, state: this.#state };
    const agree = (): ScheduleRequestBody => ({
      type: 'agree-requested',
      agreement: this.#agreement(),
      sealed: [],
    });
    const body = random.chance(0.02)
      ? { type: 'remove-requested' as const }
      : state.broken !== null && random.chance(0.6)
        ? agree()
        : random.pick<ScheduleRequestBody>([
            { type: 'pause-requested' },
            { type: 'resume-requested' },
            { type: 'resume-requested' },
            { type: 'run-requested' },
            agree(),
          ]);
    const key = `k${++this.#keys}`;
    this.#append([{ v: 1, at: this.#time.now, key, by: ana, ...body }], key);
  }

  /** As a store does it: whoever waits is told in the moment of the end. */
  #endRun(): void {
    const [run] = [...this.#runs].find(([, { isOver }]) => !isOver) ?? [];
    if (run === undefined) return;
    this.#runs.get(run)!.isOver = true;
    if (this.#row?.awaits !== run || this.#mutant.isDeaf) return;
    const row = { id: run, state: 'done' } as never;
    this.#append([keptSchedules.childEnded!(row, this.#time.now)]);
  }

  async #activate(): Promise<void> {
    const epoch = ++this.#journal.epoch;
    const driver = { pid: epoch, host: 'h', boot: 'b' };
    const life: Life = { epoch, driver, alive: { yes: true }, lost: new AbortController() };
    const { random, mutant, time } = { random: this.#random, mutant: this.#mutant, time: this.#time };
    const ports = mutant.ports?.(this.#ports(life)) ?? this.#ports(life);
    const machine = createScheduleMachine(driver, ports);
    const stop = () => life.lost.abort('lost');
    const rest = await driveLife({
      machine: mutant.machine?.(machine, ports) ?? machine,
      journal: this.#journal,
      clock: time.clock((until) => {
        // Those who wait with it may be told to go.
        if (!this.#calm && random.chance(0.2)) return queueMicrotask(stop);
        queueMicrotask(() => time.tick(Math.max(0, until - time.now)));
      }),
      life,
      fault: () =>
        this.#calm
          ? {}
          : randomFault(
              random,
              () => this.#ask(),
              () => {
                this.#journal.epoch += 1;
              },
            ),
      newId: () => `a${++this.#keys}`,
      append: mutant.append,
      onSaid: () => {},
    });
    if (rest === null) this.#crashes += 1;
  }

  #ports(life: Life): SchedulePorts {
    const next = (after: number) => (Math.floor(after / this.#every) + 1) * this.#every;
    return {
      calendar: {
        next: (_times, after) => next(after),
        passed: (_times, from, now) => {
          const latest = Math.max(from, next(now) - this.#every);
          return { latest, count: Math.round((latest - from) / this.#every) + 1 };
        },
      },
      runFor: (_schedule, how, number) => `${how} ${number}`,
      holds: async ({ agreement }) => {
        const [file, isSet] = [this.#file, this.#isSet];
        if (!this.#calm && !this.#isNested && this.#random.chance(0.1)) {
          // Another driver takes over meanwhile, and this one does not hear of it.
          this.#isNested = true;
          await this.#activate();
          this.#isNested = false;
        }
        this.#found = { file, isSet };
        if (file === '') return { ok: false, why: 'unreadable', message: 'it is not there' };
        if (file !== agreement!.hash) return { ok: false, why: 'changed', message: 'it is another' };
        return isSet ? { ok: true } : { ok: false, why: 'environment', message: 'KEY' };
      },
      begin: async ({ agreement }, { run, due }) => {
        if (!life.alive.yes) return;
        if (!this.#runs.has(run)) this.#runs.set(run, { due, hash: agreement!.hash, isOver: false });
        if (!this.#calm && this.#random.chance(0.2)) this.#endRun();
      },
    };
  }

  /** Nothing goes wrong any more: it fires at its next times, each once. */
  async #finish(): Promise<void> {
    this.#calm = true;
    const settle = async () => {
      for (let round = 0; round < 4 && this.#isDue(); round += 1) await this.#activate();
      for (let left = 0; left < 4; left += 1) this.#endRun();
    };
    await settle();
    this.#isSet = true;
    const say = async (body: ScheduleRequestBody) => {
      const key = `k${++this.#keys}`;
      this.#append([{ v: 1, at: this.#time.now, key, by: ana, ...body }], key);
      await settle();
    };
    await say({ type: 'resume-requested' });
    await say({ type: 'agree-requested', agreement: this.#agreement(), sealed: [] });
    const before = this.#state.firings.at(-1)?.due ?? 0;
    for (let round = 0; round < 3; round += 1) {
      // Whoever drives is there when it is due.
      this.#time.tick(Math.max(0, (this.#row?.wakeAt ?? 0) - this.#time.now));
      await settle();
    }
    const events = this.#journal.events.map(({ event }) => event);
    const fired = events.flatMap((event) => (event.type === 'fired' ? [event] : []));
    promise(
      this.#state.isRemoved || fired.some(({ due, how }) => how === 'time' && due > before),
      'what is active and as agreed fires at its times',
    );
    promise(
      isDeepStrictEqual(
        fired.map(({ run }) => run),
        [...this.#runs.keys()],
      ),
      'what is said to be begun is begun, once, and nothing else is',
    );
    const answers = events.flatMap((event) => ('answers' in event ? [event.answers!] : []));
    const asked = this.#journal.events
      .filter(({ event }) => keptSchedules.isRequest(event))
      .map(({ seq }) => seq);
    promise(
      isDeepStrictEqual(
        answers.toSorted((a, b) => a - b),
        asked,
      ),
      'every request is answered once',
    );
    promiseSnapshots(keptSchedules, this.#journal.events);
  }
}
