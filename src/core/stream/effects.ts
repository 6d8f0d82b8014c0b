/**
 * What a machine wants done now. The set is closed: everything that any machine does is one of these.
 * `B` is a fact without its time; `W` is the machine's own closed set of work.
 */
export type Effect<B, W> =
  /** Write facts; nothing else happens. */
  | { kind: 'record'; facts: B[] }
  /** Make the intent durable (none for work that only looks), do the work, write what came of it. */
  | {
      kind: 'perform';
      intent: B[];
      work: W;
      /** What came of earlier work is made durable first: this one takes its time. */
      settle?: boolean;
    }
  /** Nothing to do until a person acts or `wakeAt` comes. */
  | { kind: 'rest'; why: RestReason; wakeAt: number | null };

/** What becomes of work that is under way. Only with work in hand can it be asked for, so nothing else can say it. */
export type Attention<B> =
  /** Write facts, and ask again. */
  | { kind: 'record'; facts: B[] }
  /** Ask again at the next event, or at `until`. */
  | { kind: 'await'; until: number | null }
  /** End it. */
  | { kind: 'abort'; why: AbortReason };

export type AbortReason = 'timeout' | 'cancelled' | 'skipped' | 'limit' | 'rested' | 'served' | 'lost';
/** `elsewhere`: it lives on another host, and only a driver there can go on. */
export type RestReason =
  | 'finished'
  | 'waiting'
  | 'paused'
  | 'later'
  | 'unreadable'
  | 'workspace-busy'
  | 'elsewhere';
