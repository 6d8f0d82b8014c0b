import type { ModelName } from '../../core/contract/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';

/** A message as every provider takes it. */
export interface PlannerMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface PlannerQuestion {
  system: string;
  messages: PlannerMessage[];
  /** What it is for, in a few words, as the journal and the bill show it. */
  purpose: string;
  signal: AbortSignal;
  /** Must be told of the call before it is sent. */
  ledger: CallLedger;
  maxOutputTokens: number;
}

export type PlannerReply =
  | { ok: true; text: string; model: ModelName; durationMs: number }
  /** `why` is one word: error, timeout, unauthorised, rate-limited, limit, aborted… */
  | { ok: false; why: string; message: string; durationMs?: number };

/** Models for one purpose. Which of them is asked is decided by the run; nothing here falls back by itself. */
export interface Chain {
  /** Asks that very model once. Never throws. */
  ask(model: ModelName, question: PlannerQuestion): Promise<PlannerReply>;
}

export interface PlannerModels {
  planner: Chain;
  fast: Chain;
}

/** A tool that steps of the plan may call. */
export interface PlannedTool {
  name: string;
  means: string;
  /** JSON Schema of its arguments. */
  parameters: object;
}

/** Who plans, as configured. */
export interface Identity {
  name: string;
  backstory: string;
}

/** What earlier runs know. Both may know nothing; neither throws. */
export interface Experience {
  /** How long actions like these took before, by their action lines; null for each that was never run. */
  durations(actions: readonly string[]): Promise<(number | null)[]>;
  /**
   * Rejections, failures and declined steps of runs for goals like this one, here: one sentence each, best match
   * first. Not of the run that asks: it remembers its own.
   */
  wentWrong(goal: string, workspace: string, run: string): Promise<string[]>;
}
