import {
  evolve,
  initialRunState,
  type RequestBody,
  type RunState,
  type StoredEvent,
} from '../../core/contract/index.ts';
import { openQuestion, type Question } from '../../core/contract/told/index.ts';
import type { Problem } from '../../core/plan/index.ts';
import { type App, type AppOptions, openApp } from './app.ts';
import { ownerAt } from './asker.ts';
import type { ExitCode } from './errors.ts';
import { type RunChoices, runOptions } from './options.ts';
import { exitCodeOf } from './outcome.ts';
import { loadPlan } from './plans.ts';

export interface RunFileOptions
  extends Pick<AppOptions, 'cwd' | 'env' | 'workspace' | 'flags'>,
    Pick<RunChoices, 'mode' | 'inputs' | 'onAsk' | 'onFailure'> {
  /** Of a runbook: the heading or block to take. */
  only?: string;
  /** Told of every event, with the state after it; secrets are hidden in both. */
  onEvent?: (stored: StoredEvent, state: RunState) => void;
  /** Asked for what the run needs a person for; null leaves it open. Without it the run follows `onAsk`. */
  decide?: (question: Question, state: RunState) => Promise<RequestBody | null> | RequestBody | null;
  /** Lets the run rest at its next boundary. */
  signal?: AbortSignal;
}

export interface RanFile {
  /** It came to its end, and every step succeeded. */
  ok: boolean;
  /** What may be said against the plan. Where it did not run these are errors. */
  problems: Problem[];
  /** Null where there was no plan to run. */
  id: string | null;
  /** Exact: secrets are not hidden. */
  state: RunState | null;
  exitCode: ExitCode;
}

/**
 * Runs a plan file or a runbook until it rests: all that the library does, in one call. A file that is missing and a plan
 * that does not hold are answers. Throws an AppError where an input is missing or the configuration is not valid.
 */
export async function runFile(path: string, options: RunFileOptions = {}): Promise<RanFile> {
  const { cwd, env, workspace, flags, only, decide, signal } = options;
  const loaded = await loadPlan({ path, ...given({ cwd, env, workspace, only }) });
  const { problems } = loaded;
  if (!loaded.ok) return { ok: false, problems, id: null, state: null, exitCode: 2 };
  const { plan } = loaded;
  const app = await openApp(given({ cwd, env, workspace, flags }));
  let telling: Telling | null = null;
  try {
    const { mode, inputs, onAsk, onFailure } = options;
    const choices = { mode, onAsk, onFailure, ...given({ inputs }), attended: decide !== undefined };
    const by = ownerAt('library');
    const id = await app.runs.create({
      plan,
      workspace: app.workspace,
      options: runOptions(app.config.values, plan, choices),
      agreed: by,
    });
    telling = options.onEvent === undefined ? null : tellEvents(app, id, options.onEvent);
    let rested = await app.runs.drive(id, given({ signal }));
    while (rested.why === 'waiting' && decide !== undefined) {
      const question = openQuestion(rested.state);
      const decided = question === null ? null : await decide(question, rested.state);
      if (decided === null) break;
      await app.runs.request(id, decided, { by });
      rested = await app.runs.drive(id, given({ signal }));
    }
    await telling?.upTo(rested.seq);
    const { state } = rested;
    const ok = state.stopReason === 'completed';
    return { ok, problems, id, state, exitCode: exitCodeOf(rested.why, state) };
  } finally {
    telling?.stop();
    await app.close();
  }
}

interface Telling {
  /** Resolves when all up to this event has been told; rejects with what the listener threw. */
  upTo(seq: number): Promise<void>;
  stop(): void;
}

function tellEvents(app: App, id: string, tell: NonNullable<RunFileOptions['onEvent']>): Telling {
  const stop = new AbortController();
  let state = initialRunState;
  let last = Number.POSITIVE_INFINITY;
  const telling = (async () => {
    let redactor = app.redactorFor(state);
    for await (const stored of app.runs.watch(id, 0, stop.signal)) {
      const { sealed } = state;
      state = evolve(state, stored);
      // Which values are secret is known once the plan and its inputs are.
      if (stored.event.type === 'plan-created' || state.sealed !== sealed) redactor = app.redactorFor(state);
      tell(redactor.value(stored), redactor.value(state));
      if (state.seq >= last) return;
    }
  })();
  telling.catch(() => {});
  return {
    upTo(seq) {
      last = seq;
      if (state.seq >= seq) stop.abort();
      return telling;
    },
    stop: () => stop.abort(),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was left out. */
const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
