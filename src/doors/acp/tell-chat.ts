import type { ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk';
import {
  actionOfCall,
  type ChatEvent,
  type ChatState,
  readCall,
  type ToolCall,
} from '../../core/contract/index.ts';
import { callWords, chatEventWords, visible, visibleLines } from '../../core/contract/told/index.ts';
import type { ChatWatcher } from '../app/follow-chat.ts';
import { kindOf, locationsOf } from './cards.ts';
import type { Teller } from './tell.ts';
import { contentOf } from './tell-run.ts';

/** The card of one call. */
export const callCard = (chat: string, callId: string): string => `${chat}:${callId}`;

/** What is no news to whoever reads the answer: the others are. */
const asides: ReadonlySet<ChatEvent['type']> = new Set([
  'turn-considered',
  'correction-attempt',
  'correction-success',
  'correction-failed',
  'call-interrupted',
]);
/** Their cards say it. */
const onCards: ReadonlySet<ChatEvent['type']> = new Set(['calls-started', 'call-finished']);

interface Choices {
  /** Told from the journal, to an editor that has not seen any of it: what the person said too. */
  isPast: boolean;
  diffs(card: string): ToolCallContent[];
}

/** Tells an editor what happens in a conversation. What it is given has its secrets hidden already. */
export function chatTeller(chat: string, teller: Teller, { isPast, diffs }: Choices): ChatWatcher {
  let decoder = new TextDecoder();
  let isSaid = false;
  const want = (call: ToolCall, state: ChatState) => {
    const read = readCall(call.tool, call.args);
    const action = read.ok ? actionOfCall(read.tool, read.args) : null;
    teller.tell({
      sessionUpdate: 'tool_call',
      toolCallId: callCard(chat, call.id),
      title: visible(callWords(call)).slice(0, 300),
      kind: action === null ? 'other' : kindOf(action),
      status: 'pending',
      locations: action === null ? [] : locationsOf(action, state.session.cwd),
    });
  };
  const change = (callId: string, status: ToolCallStatus, content?: ToolCallContent[]) =>
    teller.tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: callCard(chat, callId),
      status,
      ...(content === undefined ? {} : { content }),
    });
  const finish = (event: Extract<ChatEvent, { type: 'call-finished' }>) => {
    const { stdoutTail, stderrTail, why, message, captured } = event.result;
    const value = captured === undefined ? '' : [captured.value].flat().join('\n');
    const output = [stdoutTail, stderrTail, value].filter((text) => text !== '').join('\n');
    const said = event.text ?? (why === undefined ? undefined : (message ?? why));
    const card = callCard(chat, event.callId);
    const content = [...contentOf('', output, said), ...diffs(card)];
    change(event.callId, why === undefined ? 'completed' : 'failed', content);
  };
  return {
    streams: !isPast,
    said(bytes) {
      const text = visibleLines(decoder.decode(bytes, { stream: true }));
      if (text === '') return;
      isSaid = true;
      teller.tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    },
    event({ event }, state) {
      switch (event.type) {
        case 'turn-begun':
          if (isPast)
            teller.tell({
              sessionUpdate: 'user_message_chunk',
              content: { type: 'text', text: visibleLines(event.text) },
            });
          break;
        case 'turn-considered':
          for (const call of event.calls) want(call, state);
          break;
        case 'model-call-started':
          decoder = new TextDecoder();
          break;
        case 'model-answered':
          if (isSaid) teller.say('');
          else if (event.text !== '') teller.say(visibleLines(event.text));
          isSaid = false;
          for (const call of event.calls) want(call, state);
          return;
        case 'calls-started':
          for (const id of event.callIds) change(id, 'in_progress');
          break;
        case 'call-finished':
          finish(event);
          break;
        case 'question-answered':
          change(event.callId, 'completed');
          break;
        case 'chat-renamed':
          teller.tell({ sessionUpdate: 'session_info_update', title: visible(event.title) });
          break;
        case 'options-changed':
          teller.tell({ sessionUpdate: 'current_mode_update', currentModeId: event.options.mode });
          break;
        default:
      }
      const words = onCards.has(event.type) ? null : chatEventWords(event, state);
      if (words === null) return;
      if (asides.has(event.type)) teller.think(visibleLines(words));
      else teller.say(visibleLines(words));
    },
  };
}
