import { isDeepStrictEqual } from 'node:util';
import type { Actor, StoredEvent } from '../../src/core/contract/index.ts';
import { createFolds, projectRow, type Snapshot } from '../../src/core/stream/index.ts';
import { awaitsFrom, endsWith } from '../../src/world/store/listing-rules.ts';
import {
  createToyMachine,
  type ToyEvent,
  type ToyFact,
  type ToyPorts,
  type ToyRequestBody,
  type ToyRow,
  type ToyState,
  toyKind,
} from '../support/toy-kind.ts';
import { SimulatedJournal } from './journal.ts';
import { broken, promise } from './promise.ts';
import { createRandom, type Random } from './random.ts';
import { driveLife, type Life, microtasks, randomFault, SimulatedTime } from './stage.ts';

type ToyMachine = ReturnType<typeof createToyMachine>;

/** Where a planted bug takes hold. */
export interface ToyMutant {
  name: string;
  machine?: (machine: ToyMachine) => ToyMachine;
  ports?: (ports: ToyPorts) => ToyPorts;
  append?: Parameters<typeof driveLife<ToyState, ToyEvent, ToyFact, never>>[0]['append'];
  /** The end of a child is not told. */
  isDeaf?: boolean;
  /** Snapshots of another version are taken for good. */
  trustsStale?: boolean;
}

export interface ToyReport {
  seen: Set<string>;
  conflicts: number;
  stale: number;
  repeated: number;
  crashes: number;
}

/** One seeded world of a toy and its child. Throws BrokenPromise where a promise does not hold. */
export async function simulateToys(seed: number, mutant: ToyMutant = { name: '' }): Promise<ToyReport> {
  const world = new ToyWorld(seed, mutant);
  await world.live();
  if (broken[0] !== undefined) throw broken[0];
  return world.report();
}

const people: Actor[] = ['ana', 'bo'].map((person) => ({ person, door: 'page' }));

/** One stream of it. */
class Toy {
  readonly journal: SimulatedJournal<ToyEvent>;
  state: ToyState = toyKind.initial;
  row: ToyRow | null = null;
  /** Which numbers were counted in the world. */
  readonly counts: number[] = [];

  constructor(id: string, onEnd: (toy: Toy, before: ToyRow | null) => void) {
    this.journal = new SimulatedJournal(id, (batch) => {
      promise(this.journal.events.length < 500, 'a toy does not run away');
      const before = this.row;
      for (const stored of batch) {
        this.#hold(stored);
        this.state = toyKind.evolve(this.state, stored);
        this.row = projectRow<ToyRow>(toyKind, this.row, stored);
      }
      onEnd(this, before);
    });
  }

  /** What is promised of each event, where it stands. */
  #hold({ event }: StoredEvent<ToyEvent>): void {
    const { inFlight, children, stoppedBy, epoch } = this.state;
    if (event.type === 'count-started') {
      promise(inFlight === null, 'one thing at a time is counted, and what was lost is said');
      promise(stoppedBy === null, 'what was stopped counts no further');
      promise(!children.some(({ ended }) => ended === null), 'whoever waits does nothing else');
    }
    if (event.type === 'counted') promise(inFlight?.n === event.n, 'an outcome has its intent');
    if (event.type === 'toy-claimed')
      promise(event.epoch > epoch, 'a driver that was overtaken writes nothing');
    if (event.type === 'toy-ended')
      promise(!children.some(({ ended }) => ended === null), 'a toy does not end before its child');
  }
}

class ToyWorld {
  readonly #random: Random;
  readonly #time = new SimulatedTime();
  readonly #mutant: ToyMutant;
  readonly #toys = new Map<string, Toy>();
  readonly #money: number;
  #keys = 0;
  #crashes = 0;
  #calm = false;
  #isNested = false;

  constructor(seed: number, mutant: ToyMutant) {
    this.#random = createRandom(seed);
    this.#mutant = mutant;
    this.#money = 1 + this.#random.int(8);
  }

  async live(): Promise<void> {
    broken.length = 0;
    const random = this.#random;
    const nap = random.chance(0.3) ? { napUntil: this.#time.now + random.int(100_000) } : {};
    const child = random.chance(0.7) ? { child: 'child', childTarget: random.int(6) } : {};
    const begun = { type: 'toy-begun' as const, target: random.int(6), money: this.#money, ...nap, ...child };
    this.#begin('parent', [{ v: 1, at: this.#time.now, ...begun }]);
    for (let round = 0; round < 30 && !this.#isOver(); round += 1) {
      this.#calm = round >= 15;
      for (const toy of [...this.#toys.values()]) await this.#activate(toy);
      if (broken[0] !== undefined) throw broken[0];
      this.#time.tick(random.int(20_000));
      if (!this.#calm && random.chance(0.4)) this.#ask(random.pick([...this.#toys.values()]));
    }
    promise(this.#isOver(), 'every toy ends, and every request is answered');
    await this.#finish();
  }

  report(): ToyReport {
    const journals = [...this.#toys.values()].map(({ journal }) => journal);
    const sum = (of: (journal: SimulatedJournal<ToyEvent>) => number) =>
      journals.reduce((n, journal) => n + of(journal), 0);
    return {
      seen: new Set(journals.flatMap(({ events }) => events.map(({ event }) => event.type))),
      conflicts: sum(({ refused }) => refused.conflict),
      stale: sum(({ refused }) => refused.stale),
      repeated: sum(({ repeated }) => repeated),
      crashes: this.#crashes,
    };
  }

  #isOver(): boolean {
    return [...this.#toys.values()].every(({ state }) => state.ended && state.inbox.length === 0);
  }

  #begin(id: string, events: ToyEvent[]): void {
    if (this.#toys.has(id)) return;
    const toy = new Toy(id, (of, before) => this.#told(of, before));
    this.#toys.set(id, toy);
    toy.journal.append({ id: 'begin', events, expectedSeq: 0 });
  }

  /** As a store does it: whoever waits is told in the moment of the end. */
  #told({ row }: Toy, before: ToyRow | null): void {
    if (row === null || this.#mutant.isDeaf) return;
    const tell = (waiting: string, child: ToyRow) =>
      this.#toys.get(waiting)!.journal.append({
        id: `ended ${++this.#keys}`,
        events: [toyKind.childEnded!(child, this.#time.now)],
      });
    if (endsWith(before, row))
      for (const toy of this.#toys.values()) if (toy.row?.awaits === row.id) tell(toy.row.id, row);
    const awaited = awaitsFrom(before, row);
    const child = awaited === null ? null : (this.#toys.get(awaited)?.row ?? null);
    if (child !== null && child.endedAt !== null) tell(row.id, child);
  }

  #ask({ journal }: Toy): void {
    const body: ToyRequestBody = this.#random.chance(0.6)
      ? { type: 'add-requested', amount: this.#random.int(3) }
      : { type: 'stop-requested' };
    this.#request(journal, body, this.#random.pick(people), `key${++this.#keys}`);
  }

  #request(journal: SimulatedJournal<ToyEvent>, body: ToyRequestBody, by: Actor, key: string): void {
    journal.append({ id: key, events: [{ v: 1, at: this.#time.now, key, by, ...body }] });
  }

  async #activate(toy: Toy): Promise<void> {
    const epoch = ++toy.journal.epoch;
    const driver = { pid: epoch, host: 'h', boot: 'b' };
    const life: Life = { epoch, driver, alive: { yes: true }, lost: new AbortController() };
    const { random, mutant } = { random: this.#random, mutant: this.#mutant };
    const ports: ToyPorts = {
      count: (n, signal) => this.#count(toy, life, n, signal),
      children: {
        begin: async (child, _kind, events) => this.#begin(child, events as ToyEvent[]),
        cancel: async (child, by) =>
          this.#request(this.#toys.get(child)!.journal, { type: 'stop-requested' }, by, 'cancel'),
      },
    };
    const machine = createToyMachine(driver, mutant.ports?.(ports) ?? ports);
    const rest = await driveLife({
      machine: mutant.machine?.(machine) ?? machine,
      journal: toy.journal,
      clock: this.#time.clock((until) =>
        queueMicrotask(() => this.#time.tick(Math.max(0, until - this.#time.now))),
      ),
      life,
      fault: () =>
        this.#calm
          ? {}
          : randomFault(
              random,
              () => this.#ask(toy),
              () => {
                toy.journal.epoch += 1;
              },
            ),
      newId: () => `a${++this.#keys}`,
      append: mutant.append,
      onSaid: () => {},
    });
    if (rest === null) this.#crashes += 1;
    else if (rest.why === 'finished') promise(rest.state.ended, 'finished means ended');
  }

  async #count(toy: Toy, life: Life, n: number, signal: AbortSignal): Promise<boolean> {
    const isCurrent = () => life.alive.yes && life.epoch === toy.journal.epoch;
    if (isCurrent()) promise(toy.state.inFlight?.n === n, 'the intent is durable before the effect');
    if (!this.#calm && this.#random.chance(0.1)) this.#ask(toy);
    await microtasks();
    if (signal.aborted) return false;
    const stops = toy.state.inbox.some(({ request }) => request.type === 'stop-requested');
    promise(!isCurrent() || !stops, 'work under way hears that it is to stop');
    if (!this.#calm && !this.#isNested && this.#random.chance(0.1)) {
      // Another driver takes over, and this one may not hear of it.
      if (this.#random.chance(0.5)) life.lost.abort('lost');
      this.#isNested = true;
      await this.#activate(toy);
      this.#isNested = false;
    }
    toy.counts.push(n);
    return true;
  }

  async #finish(): Promise<void> {
    const [parent, child] = [this.#toys.get('parent')!, this.#toys.get('child')];
    const counted = (toy: Toy | undefined) => toy?.state.counted ?? 0;
    promise(counted(parent) + counted(child) <= this.#money, 'a toy and its child keep to what it may spend');
    for (const toy of this.#toys.values()) this.#everyCountIsKnown(toy);
    if (child !== undefined) {
      const ends = parent.journal.events.filter(({ event }) => event.type === 'child-ended');
      promise(ends.length === 1, 'the end of a child is told once');
      const told = child.journal.events.find(({ event }) => 'key' in event && event.key === 'cancel')?.event;
      const isCancelled = parent.journal.events.some(({ event }) => event.type === 'child-cancelled');
      promise(!isCancelled || told !== undefined, 'a stop is passed on');
      const by = told !== undefined && 'by' in told ? told.by : parent.state.stoppedBy;
      promise(isDeepStrictEqual(by, parent.state.stoppedBy), 'a stop is passed on in the name of who asked');
    }
    for (const { journal } of this.#toys.values()) await this.#snapshotsAgree(journal.events);
  }

  #everyCountIsKnown({ counts, journal, state }: Toy): void {
    const lost = journal.events.flatMap(({ event }) => (event.type === 'count-lost' ? [event.n] : []));
    for (let n = 1; n <= state.counted; n += 1) {
      const times = counts.filter((one) => one === n).length;
      promise(times >= 1, 'no count is lost');
      promise(times <= 1 + lost.filter((one) => one === n).length, 'no count is repeated silently');
    }
    const answers = journal.events.flatMap(({ event }) => ('answers' in event ? [event.answers] : []));
    const asked = journal.events.filter(({ event }) => toyKind.isRequest(event)).map(({ seq }) => seq);
    promise(
      isDeepStrictEqual(
        answers.toSorted((a, b) => a - b),
        asked,
      ),
      'every request is answered once',
    );
  }

  /** At every place, what is made of a snapshot and the events after it is what all events make; a stale one is there too. */
  async #snapshotsAgree(events: StoredEvent<ToyEvent>[]): Promise<void> {
    const states = [toyKind.initial];
    for (const stored of events) states.push(toyKind.evolve(states.at(-1)!, stored));
    for (let last = 1; last <= events.length; last += 1) {
      const seq = this.#random.int(last + 1);
      const kept = new Map<string, Snapshot>([
        ['now', { incarnation: 1, seq, state: structuredClone(states[seq]) }],
        ['before', { incarnation: 1, seq, state: { ...toyKind.initial, counted: 4711 } }],
      ]);
      const folds = createFolds<ToyState, ToyEvent>({
        kind: toyKind,
        streams: {
          readOf: async (_, after) => ({ incarnation: 1, last, events: events.slice(after, last) }),
        },
        snapshots: {
          load: async (_, version) => kept.get(version) ?? null,
          save: async () => {},
        },
        version: () => (this.#mutant.trustsStale ? 'before' : 'now'),
        every: 0,
      });
      const { state } = await folds.at('toy');
      promise(isDeepStrictEqual(state, states[last]), 'a snapshot and its tail are the whole fold');
    }
  }
}
