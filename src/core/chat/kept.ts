import {
  type ChatEvent,
  type ChatRow,
  type ChatState,
  chatScopeOf,
  childEnded,
  evolveChat,
  initialChatState,
  isChatRequest,
  projectChat,
} from '../contract/index.ts';
import type { KeptKind } from '../stream/index.ts';

const FOUND_BY = 300;

/** Conversations as they are kept, listed and found. */
export const keptChats: KeptKind<ChatState, ChatEvent, ChatRow> = {
  name: 'chat',
  initial: initialChatState,
  evolve: evolveChat,
  epochOf: ({ epoch }) => epoch,
  project: projectChat,
  titleOf: ({ title }) => title,
  // Every addition is indexed with all that was there: what the person said, and not at length.
  textOf: (event) => (event.type === 'turn-begun' ? event.text.slice(0, FOUND_BY) : ''),
  isRequest: isChatRequest,
  cancel: { type: 'close-requested' },
  scopeOf: (event) => (isChatRequest(event) ? chatScopeOf(event) : 'decide'),
  childEnded,
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
  noteOf: () => null,
  hides: { sealedIn: ({ sealed }) => sealed, secretsIn: () => [] },
};
