import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';

/** What an agent has said and done so far in one session. */
export interface Heard {
  /** Its last words: what it said since its last call, or before it where it said nothing since. */
  text(): string;
  /** Calls of tools, each of which is a turn of its model. */
  turns(): number;
  costUsd(): number;
  tokens(): number;
  take(update: SessionUpdate): void;
  ended(response: PromptResponse): void;
}

const Usage = z.looseObject({ usage: z.looseObject({ totalTokens: z.int().min(0) }) });

/** What it says may go on for ever: an answer is at its end. */
const MOST_TEXT = 4 * 1024 * 1024;

export function hear(onOutput: (chunk: string) => void): Heard {
  /** What it said since its last call; and the last that it said before. */
  let [now, before] = ['', ''];
  const calls = new Set<string>();
  const told = new Map<string, string>();
  let [costUsd, tokens, isLineOpen] = [0, 0, false];
  const say = (text: string): void => {
    if (text === '') return;
    isLineOpen = !text.endsWith('\n');
    onOutput(text);
  };
  const sayLine = (text: string): void => say(`${isLineOpen ? '\n' : ''}${text}\n`);
  return {
    text: () => (now.trim() === '' ? before : now),
    turns: () => calls.size + 1,
    costUsd: () => costUsd,
    tokens: () => tokens,
    take(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk': {
          const text = update.content.type === 'text' ? update.content.text : '';
          now += text;
          if (now.length > 2 * MOST_TEXT) now = now.slice(-MOST_TEXT);
          say(text);
          return;
        }
        case 'tool_call':
        case 'tool_call_update': {
          const { toolCallId: id, title, status } = update;
          if (!calls.has(id) && now.trim() !== '') before = now;
          if (!calls.has(id)) now = '';
          calls.add(id);
          if (title != null && told.get(id) !== title) sayLine(`▸ ${title}`);
          told.set(id, title ?? told.get(id) ?? '');
          if (status === 'failed') sayLine('  it failed');
          return;
        }
        case 'usage_update':
          tokens = Math.max(tokens, update.used);
          // What it has cost in all so far; of another currency nothing is known.
          if (update.cost?.currency === 'USD') costUsd = Math.max(costUsd, update.cost.amount);
          return;
        default:
      }
    },
    ended(response) {
      if (isLineOpen) say('\n');
      const used = Usage.safeParse(response).data ?? Usage.safeParse(response._meta).data;
      tokens = Math.max(tokens, used?.usage.totalTokens ?? 0);
    },
  };
}
