import { keptChats } from '../../core/chat/kept.ts';
import type { ChatState } from '../../core/contract/index.ts';
import { foldVersion } from '../../world/store/index.ts';
import type { ChatDriving } from './open-chat.ts';
import type { Drivable } from './streams.ts';

/** Conversations, as this program drives them. */
export const drivableChats = (given: ChatDriving): Drivable => ({
  kind: keptChats,
  foldVersion,
  open: async (id, state, children) =>
    (await import('./open-chat.ts')).openChat(given, id, state as ChatState, children),
});
