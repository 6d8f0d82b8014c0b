import type { Actor, CallState, ChatFact, ChatState, TurnOutcome } from '../contract/index.ts';
import type { ChildWork, Effect, RestReason } from '../stream/index.ts';

/** The work of a conversation. Each carries the state that it was decided on, so that the gate judges by the same facts. */
export type ChatWork =
  | { kind: 'consider'; state: ChatState }
  | { kind: 'ask'; state: ChatState; round: number; bare: boolean }
  /** What can be said without a model. */
  | { kind: 'reply'; state: ChatState; round: number }
  | { kind: 'judge'; state: ChatState; calls: readonly CallState[] }
  | { kind: 'calls'; state: ChatState; calls: readonly CallState[] }
  | { kind: 'recover'; state: ChatState; call: CallState }
  | { kind: 'results'; state: ChatState; run: string }
  | { kind: 'checkpoint'; state: ChatState; when: 'before' | 'after' }
  | { kind: 'undo'; state: ChatState; turn: number }
  | { kind: 'compact'; state: ChatState; upTo: number; asked: boolean }
  | { kind: 'release'; state: ChatState }
  | (ChildWork & { by: Actor });

export type ChatWorkOf<K extends ChatWork['kind']> = Extract<ChatWork, { kind: K }>;
export type ChatEffect = Effect<ChatFact, ChatWork>;

export const record = (...facts: ChatFact[]): ChatEffect => ({ kind: 'record', facts });

/** Work that needs no intent: done twice, it does no harm. */
export const look = (work: ChatWork): ChatEffect => ({ kind: 'perform', intent: [], work });

export const rest = (why: RestReason): ChatEffect => ({ kind: 'rest', why, wakeAt: null });

export const ended = (turn: number, outcome: TurnOutcome, message?: string): ChatFact => ({
  type: 'turn-ended',
  turn,
  outcome,
  ...(message === undefined ? {} : { message }),
});
