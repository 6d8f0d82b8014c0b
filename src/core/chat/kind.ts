import type { ChatEvent, ChatFact, ChatRow, ChatState } from '../contract/index.ts';
import type { Kind } from '../stream/index.ts';
import { attend } from './attend.ts';
import { keptChats } from './kept.ts';
import { next } from './next.ts';
import type { ChatWork } from './work.ts';

/** Conversations, the second kind of stream. */
export const chatKind: Kind<ChatState, ChatEvent, ChatFact, ChatWork, ChatRow> = {
  ...keptChats,
  next,
  attend,
};
