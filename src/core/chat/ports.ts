import type { ChatState, ModelName, PlanOutcome, ToolCall } from '../contract/index.ts';
import type { Checkpoints, Performer, RestoreRange } from '../run/index.ts';
import type { CallLedger, Children } from '../stream/index.ts';

/** What is made of a message before anybody is asked. */
export interface Considered {
  plan: boolean;
  score: number;
  reasons: { why: string; points: number }[];
  /** What the person wrote to be read or run at once. */
  calls: Pick<ToolCall, 'tool' | 'args'>[];
  isCommand: boolean;
}

export interface AskContext {
  signal: AbortSignal;
  /** Every call is written down in it first. */
  ledger: CallLedger;
}

export type ChatAnswer =
  | {
      ok: true;
      text: string;
      calls: { wire: string; tool: string; args: unknown }[];
      model: ModelName;
      cutOff: boolean;
    }
  /** `limit`: no call may be sent any more; `no-model`: there is nobody to ask; `aborted`: the signal ended it. */
  | { ok: false; why: string; message: string };

/** What thinks for a conversation. Nothing here throws. */
export interface ChatMind {
  consider(text: string, planning: 'auto' | 'always' | 'never'): Considered;
  /** One call of the model with everything that was said. `bare`: it may call nothing. */
  answer(work: { state: ChatState; bare: boolean }, context: AskContext): Promise<ChatAnswer>;
  /** What can be said without a model: after a command of the person, and where there is nobody to ask. */
  reply(state: ChatState): Promise<string>;
  diagnose(args: { command: string; output: string; exitCode?: number | undefined }): Promise<string>;
  /** What was said up to a turn, in short; null where no model could say it. */
  summarise(work: { state: ChatState; upTo: number }, context: AskContext): Promise<string | null>;
  /** Whether so much was said that the beginning has to be told in short first; up to which turn. */
  tooLong(state: ChatState): number | null;
}

export interface PlanChanges {
  /** Oldest first; without what the plan took back itself. */
  ranges: RestoreRange[];
  /** It reached beyond the workspace, or declares what takes it back: putting files back is not all. */
  reachedBeyond: boolean;
}

export interface ChatPorts {
  performer: Performer;
  mind: ChatMind;
  checkpoints?: Checkpoints | undefined;
  children: Children;
  /** How a plan of the conversation came out. Rejects only with what the store throws. */
  outcomeOf(run: string): Promise<PlanOutcome>;
  /** What a plan of the conversation changed in the workspace. Rejects only with what the store throws. */
  changesOf(run: string): Promise<PlanChanges>;
}
