import type { ChatEvent, ChatState } from '@contract';
import { chatEventWords } from '@told';

/** What happened to the conversation itself and is part of no turn; null for all else. */
export function chatNotice(event: ChatEvent, state: ChatState): string | null {
  switch (event.type) {
    case 'turn-undone':
    case 'undo-failed':
    case 'context-summarised':
      return chatEventWords(event, state);
    case 'chat-cleared':
      return 'What was said so far is no longer told to the model.';
    case 'chat-closed':
      return 'The conversation is closed.';
    default:
      return null;
  }
}
