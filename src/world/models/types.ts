import type { z } from 'zod';
import type { CallOutcome, ModelHop, ModelName, ModelRole, Usage } from '../../core/contract/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';

/** A tool that a model wants called. What it gave as arguments is its own: whoever performs it checks them. */
export interface WantedCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** What a tool came to, told to the model that called it. */
export interface CallResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** A picture as it is sent. */
export interface SentPicture {
  readonly hash: string;
  readonly type: string;
  readonly data: Uint8Array;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Of the user: what they show. */
  readonly pictures?: readonly SentPicture[];
  /** Of the assistant: what it called. */
  readonly calls?: readonly WantedCall[];
  /** Of the user: what came of all calls of the message before; `content` is then said after them. */
  readonly results?: readonly CallResult[];
}

/** A tool as a model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface CallRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  /**
   * How the world is just now, put to the end of the last message. A recording is found again without it: the world
   * has moved on when a run is replayed.
   */
  readonly aside?: string;
  /** What it is for, in a few words: it stands in the journal. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
  /** What it may call. Left out, it can only say something. */
  readonly tools?: readonly OfferedTool[];
  /** Told the answer as it arrives. After a hop `onText` begins anew: `onRestart` says so. */
  readonly onText?: (delta: string) => void;
  readonly onRestart?: () => void;
}

export interface StructuredRequest<T> extends CallRequest {
  readonly schema: z.ZodType<T>;
}

export interface Answered {
  readonly ok: true;
  /** Empty where it only calls. */
  readonly text: string;
  readonly calls: readonly WantedCall[];
  readonly model: ModelName;
  readonly usage: Usage | null;
  readonly usd: number | null;
  readonly ms: number;
  /** The answer ends where the tokens that were asked for ended. */
  readonly cutOff: boolean;
  readonly hops: readonly ModelHop[];
}

export interface Failed {
  readonly ok: false;
  readonly why: FailedWhy;
  /** A sentence for people, without secrets. */
  readonly message: string;
  readonly hops: readonly ModelHop[];
  /** How long the calls took that failed. */
  readonly ms: number;
}

/** `limit` and `lost` come from the ledger, `no-model` where there is nobody to ask; all else is how the last call ended. */
export type FailedWhy = Exclude<CallOutcome, 'ok'> | 'limit' | 'lost' | 'no-model';

export type Answer = Answered | Failed;

export type StructuredAnswer<T> =
  | (Answered & { readonly value: T; readonly how: readonly string[] })
  | Failed;

/** The models of one role, asked one after the other until one answers. Nothing here throws. */
export interface ModelChain {
  callRaw(request: CallRequest, ledger: CallLedger): Promise<Answer>;
  callStructured<T>(request: StructuredRequest<T>, ledger: CallLedger): Promise<StructuredAnswer<T>>;
}

/** How often a model's answers were good enough for what they were asked for. */
export interface Rate {
  readonly accepted: number;
  readonly asked: number;
}

/** What is known of the models that were asked before. */
export interface Acceptance {
  /** By `PROVIDER/MODEL`. Where it rejects, nothing is known. */
  rates(role: ModelRole): Promise<ReadonlyMap<string, Rate>>;
}
