import type { Driver } from '../../src/core/contract/index.ts';
import {
  type AnyEvent,
  type Append,
  type Claim,
  type Clock,
  drive,
  type Machine,
  type Rest,
} from '../../src/core/stream/index.ts';
import { type Fault, SimulatedCrash, type SimulatedJournal } from './journal.ts';
import { promise } from './promise.ts';
import type { Random } from './random.ts';

/** What worlds of every kind have: time, drivers that live and die, and what goes wrong around an append. */

export class SimulatedTime {
  now = 1_000_000;
  #timers: { at: number; wake: () => void }[] = [];

  tick(ms: number): void {
    this.now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.now);
    for (const { wake } of due) wake();
  }

  /** `onSleep`: a driver waits until then. */
  clock(onSleep: (until: number) => void): Clock {
    return {
      now: () => this.now,
      sleepUntil: (until, signal) =>
        new Promise((resolve) => {
          const wake = () => resolve();
          this.#timers.push({ at: until, wake });
          signal.addEventListener('abort', wake, { once: true });
          onSleep(until);
        }),
    };
  }
}

/** One driver, from its claim to its rest or its death. */
export interface Life {
  epoch: number;
  driver: Driver;
  alive: { yes: boolean };
  lost: AbortController;
}

export interface Driving<S, E extends AnyEvent, B, W> {
  machine: Machine<S, E, B, W>;
  journal: SimulatedJournal<E>;
  clock: Clock;
  life: Life;
  fault(): Fault;
  newId(): string;
  /** A planted bug changes what is appended. */
  append?: ((append: Append<E>) => Append<E>) | undefined;
  /** Told of each effect and of what becomes of work under way. */
  onSaid(kind: string): void;
}

const HUNG = Symbol('hung');

/** Null: it died. */
export async function driveLife<S, E extends AnyEvent, B, W>(
  driving: Driving<S, E, B, W>,
): Promise<Rest<S> | null> {
  const { machine, journal, clock, life, newId, append: change = (append) => append, onSaid } = driving;
  const hold = async () => ({ ok: true }) as const;
  const { epoch, alive, lost } = life;
  const { stream } = journal;
  const claim: Claim = { stream, epoch, lost: lost.signal, hold, release: async () => {} };
  const real = journal.handle(() => driving.fault(), alive);
  let calls = 0;
  const said = <T extends { kind: string }>(says: T): T => {
    promise(++calls < 20_000, 'a driver does not spin');
    onSaid(says.kind);
    return says;
  };
  const driven = drive(stream, {
    machine: {
      ...machine,
      next: (state, now) => said(machine.next(state, now)),
      attend: (state, work, now) => said(machine.attend(state, work, now)),
    },
    journal: { ...real, append: (to, append) => real.append(to, change(append)) },
    claim,
    clock,
    newId,
  });
  const idle = whenIdle();
  const outcome = await Promise.race([driven.catch((error: unknown) => error), idle.hung]);
  // A world without real waits never comes to it: thousands would be kept till the end.
  clearImmediate(idle.immediate);
  promise(outcome !== HUNG, 'a driver never hangs');
  if (outcome instanceof SimulatedCrash) return null;
  if (outcome instanceof Error) throw outcome;
  return outcome as Rest<S>;
}

/** `ask`: somebody else writes just before the driver does. `overtake`: another one claims the stream, and does nothing. */
export function randomFault(random: Random, ask: () => void, overtake: () => void): Fault {
  if (random.chance(0.03)) ask();
  if (random.chance(0.005)) overtake();
  if (random.chance(0.03)) return { crash: random.pick(['before', 'after'] as const) };
  return { loseAcknowledgement: random.chance(0.03) };
}

/** Long enough for the driver to notice an event and act on it. */
export async function microtasks(): Promise<void> {
  for (let i = 0; i < 30; i += 1) await null;
}

/** Resolves when nothing is left to do: in a world without real waits that means everybody waits for ever. */
function whenIdle(): { hung: Promise<typeof HUNG>; immediate: NodeJS.Immediate } {
  const { promise: hung, resolve } = Promise.withResolvers<typeof HUNG>();
  return { hung, immediate: setImmediate(() => resolve(HUNG)) };
}
