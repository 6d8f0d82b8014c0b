import { evolve, initialRunState, type NumberedEvent, type RunState } from '@contract';

const every = 200;

/** The journal of a run from its first event, and the run as it was at any of them. */
export class Tape {
  readonly events: NumberedEvent[] = [];
  private readonly marks: RunState[] = [initialRunState];

  /** In order and without a gap; an event that is already there is ignored. */
  push(event: NumberedEvent): void {
    if (event.seq === this.events.length + 1) this.events.push(event);
  }

  get last(): number {
    return this.events.length;
  }

  /** Folds from the nearest mark on, and leaves marks behind on the way. */
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
