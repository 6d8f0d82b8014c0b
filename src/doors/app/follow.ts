import { evolve, initialRunState, type RunState, type StoredEvent } from '../../core/contract/index.ts';
import type { App } from './app.ts';
import type { Redactor } from './secrets.ts';

/** Whoever is told of a run as it goes on. */
export interface RunWatcher {
  /** An event that is durable, and the state after it. */
  event(stored: StoredEvent, state: RunState): void;
  /** More output of the step in flight. */
  output(bytes: Uint8Array): void;
}

/**
 * A run as it is followed by a view: every event once and in order, each step's output before its outcome, and
 * nothing with a secret in it.
 */
export interface Following {
  state(): RunState;
  /** Resolves once the view has been told everything up to this event, or is told nothing more. */
  caughtUp(seq: number): Promise<void>;
  /** Resolves at the next event, or when the signal aborts. */
  nextEvent(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** With `after`, what happened up to there is taken as known: the view is told from the next event on. */
export function follow(app: App, id: string, view: RunWatcher, after = 0): Following {
  const stop = new AbortController();
  let state = initialRunState;
  /** The last event that is done with. The state is ahead of it while the output before an outcome is read. */
  let done = 0;
  let isOver = false;
  let waiters: (() => void)[] = [];
  let output: OutputPump | null = null;
  let { sealed } = state;
  let redactor: Redactor = app.redactorFor(initialRunState);
  const wake = () => {
    const woken = waiters;
    waiters = [];
    for (const waiter of woken) waiter();
  };
  const tell = async (stored: StoredEvent) => {
    const { event } = stored;
    state = evolve(state, stored);
    // Which values are secret is known once the plan and its inputs are.
    if (event.type === 'plan-created' || state.sealed !== sealed) redactor = app.redactorFor(state);
    sealed = state.sealed;
    if (stored.seq <= after) return;
    if (
      event.type === 'step-completed' ||
      event.type === 'step-failed' ||
      event.type === 'step-interrupted'
    ) {
      await output?.drain();
      output = null;
    }
    view.event(redactor.value(stored), lazily(state, redactor));
    if (event.type === 'step-started') {
      output = pumpOutput(app, id, event.stepId, event.attemptIndex, view, redactor);
    }
  };
  const pumping = (async () => {
    try {
      for await (const stored of app.runs.watch(id, 0, stop.signal)) {
        await tell(stored);
        done = stored.seq;
        wake();
      }
    } finally {
      isOver = true;
      wake();
    }
  })();
  const next = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      waiters.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return {
    state: () => redactor.value(state),
    async caughtUp(seq) {
      while (done < seq && !isOver) await new Promise<void>((resolve) => waiters.push(resolve));
    },
    nextEvent: next,
    async stop() {
      stop.abort();
      await output?.drain();
      await pumping;
    },
  };
}

/** The state without secrets: what a view does not look at is not gone through, however long the plan is. */
export const lazily = <S extends object>(state: S, redactor: Redactor): S =>
  new Proxy(state, { get: (whole, key) => redactor.value(Reflect.get(whole, key)) });

interface OutputPump {
  /** Reads to the end of what there is and stops. */
  drain(): Promise<void>;
}

const CHUNK = 64 * 1024;

function pumpOutput(
  app: App,
  run: string,
  stepId: string,
  attemptIndex: number,
  view: RunWatcher,
  redactor: Redactor,
): OutputPump {
  const stop = new AbortController();
  let offset = 0;
  const filter = redactor.bytes();
  const show = (bytes: Uint8Array) => {
    if (bytes.length > 0) view.output(bytes);
  };
  const pumping = (async () => {
    for await (const chunk of app.streams.output.follow(run, stepId, attemptIndex, stop.signal)) {
      offset = chunk.next;
      show(filter.write(chunk.bytes));
    }
  })();
  return {
    async drain() {
      stop.abort('over');
      await pumping;
      for (;;) {
        const chunk = await app.streams.output.read(run, stepId, attemptIndex, offset, CHUNK);
        if (chunk.bytes.length === 0) {
          show(filter.flush());
          return;
        }
        offset = chunk.next;
        show(filter.write(chunk.bytes));
      }
    },
  };
}
