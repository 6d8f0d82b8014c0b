import { evolve, initialRunState, type NumberedEvent, type RunState } from '@contract';

const every = 200;

/**
 * What is known of the journal of a run: all events from one on. It grows at its end as things happen, and at its
 * beginning where somebody wants to know; once it begins at the first event, it tells the run as it was at any of them.
 */
export class Tape {
  events: NumberedEvent[] = [];
  /** How many events come before the first that is known. */
  before: number;
  private readonly marks: RunState[] = [initialRunState];

  constructor(before = 0) {
    this.before = before;
  }

  get isWhole(): boolean {
    return this.before === 0;
  }

  get last(): number {
    return this.before + this.events.length;
  }

  /** In order and without a gap; an event that is already there is ignored. */
  push(event: NumberedEvent): boolean {
    if (event.seq !== this.last + 1) return false;
    this.events.push(event);
    return true;
  }

  /** Those that come right before what is known, in order; others are ignored. */
  unshift(events: readonly NumberedEvent[]): void {
    if (events.length === 0 || events.at(-1)!.seq !== this.before) return;
    this.events = [...events, ...this.events];
    this.before -= events.length;
  }

  /** Folds from the nearest mark on, and leaves marks behind on the way. Only of a whole tape. */
  at(seq: number): RunState {
    const wanted = Math.max(0, Math.min(seq, this.last));
    const mark = Math.min(Math.floor(wanted / every), this.marks.length - 1);
    let state = this.marks[mark]!;
    for (let n = mark * every; n < wanted; n += 1) {
      state = evolve(state, this.events[n]!);
      if ((n + 1) % every === 0) this.marks[(n + 1) / every] ??= state;
    }
    return state;
  }
}
