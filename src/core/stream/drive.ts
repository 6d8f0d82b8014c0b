import type { AbortReason, RestReason } from './effects.ts';
import type { Folded } from './fold.ts';
import type { Machine } from './machine.ts';
import type { Append, Appended, Claim, Clock, Folder, HoldResult, Journal } from './ports.ts';

export interface DriveOptions<S, E, B, W> {
  machine: Machine<S, E, B, W>;
  journal: Journal<E>;
  claim: Claim;
  clock: Clock;
  /** Names appends; unique for ever. */
  newId(): string;
  /** How far the stream is folded already: without it, it is folded from the beginning. */
  from?: Folded<S>;
  /** Told of each state that is durable, for others to go on from. */
  onFolded?: (folded: Folded<S>) => void;
  /** Aborts when this process wants to stop: the stream rests at the next event boundary. */
  signal?: AbortSignal;
  /** Called at named points; a crash test kills the process in it. */
  crashPoint?: (name: CrashPoint) => void | Promise<void>;
}

/** Where a crash test can kill the process, in the order in which one effect passes them. */
export const crashPoints = [
  'before-intent',
  'after-write',
  'after-intent',
  'before-record',
  'after-record',
  'after-work',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

export interface Rest<S> {
  why: RestReason | 'lost' | 'stopped';
  wakeAt: number | null;
  state: S;
  /** The last event that was looked at. */
  seq: number;
  /** Who works in the folder that was needed. */
  busy?: Extract<HoldResult, { why: 'workspace-busy' }>;
}

/** A wait shorter than this is sat out; a longer one is left to whoever wakes runs. */
export const RESIDENT_MS = 60_000;

/**
 * Perform, append, repeat, until the stream rests.
 *
 * `durable` is the fold of what the journal holds; `view` adds `pending`, facts that are true but not yet
 * written: the claim, and the outcome of the last work. They are written together with the next intent in one
 * transaction. If somebody else wrote in between (conflict), the pending facts are written alone, by epoch
 * only, because an outcome is never too late, and `next` is asked again. An activation that finds nothing to
 * do writes nothing.
 *
 * Resolves when the stream rests, when the claim is lost (nothing more is written), or when `signal` aborts.
 * Rejects only with what the journal throws.
 */
export async function drive<S, E, B, W>(stream: string, options: DriveOptions<S, E, B, W>): Promise<Rest<S>> {
  const { lost } = options.claim;
  const driver = new StreamDriver(stream, options);
  lost.addEventListener('abort', driver.onLost);
  try {
    await driver.begin();
    for (;;) {
      const rest = await driver.turn();
      if (rest !== null && (await driver.settleAside(rest.why))) return rest;
    }
  } finally {
    await driver.settleAside('lost');
    lost.removeEventListener('abort', driver.onLost);
  }
}

/** The facts that open an activation are worth writing only together with something else. */
interface Pending<E> {
  events: E[];
  worthWriting: boolean;
}

const MAX_SENDS = 5;
const QUICK_TURNS = 20;

type InFlightOptions = Pick<Append<unknown>, 'ofThisBoot'>;

class StreamDriver<S, E, B, W> {
  readonly #stream: string;
  readonly #options: DriveOptions<S, E, B, W>;
  #durable: S;
  #view: S;
  #seq: number;
  #pending: Pending<E>;
  #lost = false;
  #aside: { done: Promise<void>; abort: AbortController } | null = null;
  /** The folder that was asked for last, and given. */
  #held: Folder | null | undefined;
  /** Ends the work that is under way. */
  #working: AbortController | null = null;

  constructor(stream: string, options: DriveOptions<S, E, B, W>) {
    this.#stream = stream;
    this.#options = options;
    this.#durable = options.from?.state ?? options.machine.initial;
    this.#seq = options.from?.seq ?? 0;
    this.#view = this.#durable;
    const claimed = options.machine.claimed(options.claim.epoch);
    this.#pending = { events: claimed.map((fact) => this.#stamp(fact)), worthWriting: false };
  }

  readonly onLost = (): void => this.#working?.abort('lost' satisfies AbortReason);

  /** One effect. Null: ask again. */
  async turn(): Promise<Rest<S> | null> {
    const { machine, clock, claim, signal } = this.#options;
    const isOvertaken = machine.epochOf(this.#durable) > claim.epoch;
    if (this.#lost || isOvertaken || claim.lost.aborted) return this.#rest('lost');
    if (signal?.aborted) {
      await this.#settle();
      return this.#rest(this.#lost ? 'lost' : 'stopped');
    }
    const effect = machine.next(this.#view, clock.now());
    switch (effect.kind) {
      case 'record':
        if (this.#aside !== null && machine.ends?.(effect.facts)) {
          await this.settleAside('finished');
          return null;
        }
        await this.#write(effect.facts);
        return null;
      case 'perform':
        if (machine.waitsForAside?.(effect.work)) {
          if (this.#aside !== null) {
            await this.#aside.done;
            return null;
          }
        } else this.#beginAside();
        if (effect.settle) await this.#settle();
        return this.#lost ? null : this.#perform(effect.intent, effect.work);
      case 'rest':
        return this.#restOrWait(effect.why, effect.wakeAt);
    }
  }

  /** What may go on beside the work that is due. What comes of it is written when it comes, whatever was written meanwhile. */
  #beginAside(): void {
    const { machine, claim } = this.#options;
    const work = this.#aside === null ? (machine.aside?.(this.#durable) ?? null) : null;
    if (work === null) return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, claim.lost]);
    const record = (facts: B[]) => this.#recordInFlight(facts);
    const done = machine
      .perform(work, { signal, epoch: claim.epoch, record })
      .catch((error) => machine.crashed(work, error))
      .then(async (facts) => {
        if (facts.length > 0 && !this.#lost) await this.#append(facts.map((fact) => this.#stamp(fact)));
      })
      // The journal failed: the next thing to be written finds out.
      .catch(() => undefined)
      .finally(() => {
        this.#aside = null;
      });
    this.#aside = { done, abort };
  }

  /** Nothing goes on when a stream rests: what is of no more use is ended. True where the rest holds as it is. */
  async settleAside(why: Rest<S>['why']): Promise<boolean> {
    if (this.#aside === null) return true;
    const isOver = why === 'finished' || why === 'lost' || why === 'stopped';
    if (isOver) this.#aside.abort.abort();
    await this.#aside.done;
    return isOver;
  }

  /** What others asked since it was folded is found where something is written, or before it rests. */
  async begin(): Promise<void> {
    if (this.#options.from === undefined) await this.catchUp();
    else this.#foldPending();
  }

  /** Reads what others wrote and folds it in. */
  async catchUp(): Promise<void> {
    const { machine, journal } = this.#options;
    for (const stored of await journal.read(this.#stream, this.#seq)) {
      // Two readers can be under way at once while work is in flight: what one has folded the other skips.
      if (stored.seq <= this.#seq) continue;
      this.#durable = machine.evolve(this.#durable, stored);
      this.#seq = stored.seq;
    }
    this.#foldPending();
  }

  /** Before a rest: what is pending becomes durable, and what others wrote meanwhile is looked at first. */
  async #restOrWait(why: RestReason, wakeAt: number | null): Promise<Rest<S> | null> {
    if (this.#pending.worthWriting) {
      await this.#settle();
      return null;
    }
    const before = this.#seq;
    await this.catchUp();
    if (this.#seq !== before) return null;
    const { clock, journal, claim, signal, machine } = this.#options;
    if (wakeAt === null || wakeAt - clock.now() > (machine.residentMs ?? RESIDENT_MS)) {
      // As the journal has it: what was not worth writing has not happened.
      return { ...this.#rest(why), wakeAt };
    }
    const stop = new AbortController();
    const any = AbortSignal.any([stop.signal, claim.lost, ...(signal ? [signal] : [])]);
    await Promise.race([clock.sleepUntil(wakeAt, any), journal.changed(this.#stream, this.#seq, any)]);
    stop.abort('over');
    await this.catchUp();
    return null;
  }

  /** The folder that the work needs is this stream's alone before its intent is written. */
  async #hold(folder: Folder | null): Promise<Rest<S> | null> {
    const { claim } = this.#options;
    const held = await claim.hold(folder);
    this.#held = held.ok ? folder : undefined;
    if (held.ok) return null;
    if (held.why === 'lost') return this.#rest('lost');
    await this.#settle();
    return { ...this.#rest('workspace-busy'), busy: held };
  }

  async #perform(intent: B[], work: W): Promise<Rest<S> | null> {
    const { crashPoint, machine, claim } = this.#options;
    const folder = machine.holds(this.#view, work);
    const busy = folder === 'as-is' || folder === this.#held ? null : await this.#hold(folder);
    // Whoever was overtaken meanwhile begins nothing more.
    if (claim.lost.aborted) return this.#rest('lost');
    if (busy !== null) return busy;
    if (intent.length > 0) {
      if (crashPoint !== undefined) await crashPoint('before-intent');
      if (!(await this.#write(intent))) return null;
      if (crashPoint !== undefined) await crashPoint('after-intent');
    }
    const abort = new AbortController();
    this.#working = abort;
    if (claim.lost.aborted) this.onLost();
    const context = {
      signal: abort.signal,
      epoch: claim.epoch,
      record: (facts: B[], options?: InFlightOptions) => this.#recordInFlight(facts, options),
    };
    const done = machine.perform(work, context).catch((error) => machine.crashed(work, error));
    try {
      await this.#watch(work, done, abort);
    } catch (error) {
      // The journal failed: what was started is ended before anybody hears of it.
      this.onLost();
      await done;
      throw error;
    }
    const facts = await done;
    this.#working = null;
    if (crashPoint !== undefined) await crashPoint('after-work');
    for (const fact of facts) {
      const event = this.#stamp(fact);
      const seq = this.#seq + this.#pending.events.push(event);
      this.#view = machine.evolve(this.#view, { seq, event });
    }
    this.#pending.worthWriting = true;
    return null;
  }

  /** While work is under way: asks `attend` at each event that others append, and when a deadline comes. */
  async #watch(work: W, done: Promise<unknown>, abort: AbortController): Promise<void> {
    const { machine, clock, journal } = this.#options;
    let finished = false;
    const over = done.then(() => {
      finished = true;
    });
    // Looking whether somebody has written costs more than work that is over at once.
    for (let turns = 0; turns < QUICK_TURNS && !finished; turns += 1) await null;
    while (!finished && !this.#lost) {
      const says = machine.attend(this.#view, work, clock.now());
      if (says.kind === 'record') {
        await this.#write(says.facts);
        continue;
      }
      if (says.kind === 'abort') abort.abort(says.why);
      const stop = new AbortController();
      const wakes = [over, journal.changed(this.#stream, this.#seq, stop.signal)];
      if (says.kind === 'await' && says.until !== null) {
        wakes.push(clock.sleepUntil(says.until, stop.signal));
      }
      await Promise.race(wakes);
      stop.abort('over');
      if (!finished) await this.catchUp();
    }
    if (this.#lost) abort.abort('lost' satisfies AbortReason);
  }

  async #recordInFlight(facts: B[], options?: InFlightOptions): Promise<boolean> {
    await this.#options.crashPoint?.('before-record');
    const events = facts.map((fact) => this.#stamp(fact));
    const written = await this.#append(events, undefined, options);
    await this.#options.crashPoint?.('after-record');
    return written;
  }

  /** Pending facts and these in one transaction. False: it was not written, so ask `next` again. */
  async #write(facts: B[]): Promise<boolean> {
    const events = [...this.#pending.events, ...facts.map((fact) => this.#stamp(fact))];
    const had = this.#pending;
    const ahead = { state: this.#view, count: had.events.length };
    this.#pending = { events: [], worthWriting: false };
    if (await this.#append(events, ahead)) {
      if (this.#options.crashPoint !== undefined) await this.#options.crashPoint('after-write');
      return true;
    }
    this.#pending = had;
    if (!this.#lost) await this.#settle();
    return false;
  }

  /** Writes what is pending whatever others wrote, then folds in everything in its true order. */
  async #settle(): Promise<void> {
    const { events, worthWriting } = this.#pending;
    if (worthWriting) {
      this.#pending = { events: [], worthWriting: false };
      await this.#append(events);
    } else {
      await this.catchUp();
    }
  }

  /**
   * By epoch only; or, with `ahead`, only where nobody has written since. `ahead` is what the first of the events make of
   * the stream as it stands: they need not be folded again.
   */
  async #append(
    events: E[],
    ahead?: { state: S; count: number },
    options?: InFlightOptions,
  ): Promise<boolean> {
    const { claim, machine, newId } = this.#options;
    const append: Append<E> = { id: newId(), events, epoch: claim.epoch, ...options };
    if (ahead !== undefined) append.expectedSeq = this.#seq;
    const answer = await this.#send(append);
    if (!answer.ok) {
      this.#lost ||= answer.why === 'stale';
      return false;
    }
    if (answer.seq !== this.#seq + 1) {
      await this.catchUp();
      return true;
    }
    const { state, count } = ahead ?? { state: this.#durable, count: 0 };
    this.#durable = state;
    this.#seq += count;
    for (const event of events.slice(count)) {
      this.#seq += 1;
      this.#durable = machine.evolve(this.#durable, { seq: this.#seq, event });
    }
    this.#foldPending();
    return true;
  }

  /** An append whose acknowledgement was lost is sent again: its id makes that harmless. */
  async #send(append: Append<E>): Promise<Appended> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#options.journal.append(this.#stream, append);
      } catch (error) {
        const again = error instanceof Error && 'retryable' in error && error.retryable === true;
        if (!again || tries >= MAX_SENDS) throw error;
      }
    }
  }

  /** Called whenever the durable state has moved on. */
  #foldPending(): void {
    this.#options.onFolded?.({ state: this.#durable, seq: this.#seq });
    let seq = this.#seq;
    this.#view = this.#pending.events.reduce(
      (state, event) => this.#options.machine.evolve(state, { seq: ++seq, event }),
      this.#durable,
    );
  }

  #stamp(body: B): E {
    return this.#options.machine.stamp(body, this.#options.clock.now());
  }

  #rest(why: Rest<S>['why']): Rest<S> {
    return { why, wakeAt: null, state: this.#durable, seq: this.#seq };
  }
}
