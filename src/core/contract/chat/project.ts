import { z } from 'zod';
import { Mode } from '../plan.ts';
import { isChildFact, withChildSpending } from '../stream/child.ts';
import { StreamRow } from '../stream/row.ts';
import { callFinished, callStarted, committed, noSpending, Spending } from '../stream/spending.ts';
import type { ChatEvent, StoredChatEvent } from './facts.ts';
import { TurnOutcome } from './facts.ts';
import { MAX_TITLE } from './options.ts';
import { isChatRequest } from './requests.ts';

/** One line of a listing of conversations. */
export const ChatRow = StreamRow.extend({
  kind: z.literal('chat'),
  state: z.enum(['idle', 'answering', 'waiting', 'planning', 'closed']),
  /** What a person calls it, or else the first thing that was said. */
  title: z.string(),
  mode: Mode,
  turns: z.int(),
  waitingFor: z.enum(['approval', 'answer', 'plan']).nullable(),
  lastOutcome: TurnOutcome.nullable(),
  costUsd: z.number(),
  tokens: z.int(),
  spending: Spending,
});
export type ChatRow = z.infer<typeof ChatRow>;

/** The row after one more event; null until it has begun. Total. */
export function projectChat(row: ChatRow | null, { stream, event }: StoredChatEvent): ChatRow | null {
  if (event.type === 'chat-begun')
    return {
      id: stream,
      kind: 'chat',
      state: 'idle',
      title: '',
      mode: event.options.mode,
      turns: 0,
      workspace: event.place.workspace,
      createdAt: event.at,
      updatedAt: event.at,
      endedAt: null,
      wakeAt: null,
      goesOn: false,
      awaits: null,
      waitingFor: null,
      lastOutcome: null,
      unanswered: [],
      costUsd: 0,
      tokens: 0,
      spending: noSpending,
    };
  return row === null ? null : { ...row, ...changes(row, event), updatedAt: event.at };
}

const answering = { state: 'answering', goesOn: true, waitingFor: null } as const;
const idle = { state: 'idle', goesOn: false, waitingFor: null, awaits: null } as const;
const spent = (spending: Spending) => {
  const { usd, tokens } = committed(spending);
  return { spending, costUsd: usd, tokens };
};

function changes(row: ChatRow, event: ChatEvent): Partial<ChatRow> {
  if (isChatRequest(event)) return {};
  if (isChildFact(event)) {
    switch (event.type) {
      case 'child-started':
        return { state: 'planning', goesOn: true, awaits: event.child, waitingFor: null };
      case 'child-begun':
      case 'child-cancelled':
        return { state: 'planning', goesOn: false, waitingFor: 'plan' };
      case 'child-ended':
        return { ...answering, awaits: null, ...spent(withChildSpending(row.spending, event.spending)) };
    }
  }
  switch (event.type) {
    case 'turn-begun': {
      const title = row.title === '' ? event.text.replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE) : row.title;
      return { ...answering, title, turns: row.turns + 1 };
    }
    case 'approval-needed':
      return { state: 'waiting', goesOn: false, waitingFor: 'approval' };
    case 'question-asked':
      return { state: 'waiting', goesOn: false, waitingFor: 'answer' };
    case 'approval-granted':
    case 'approval-denied':
    case 'call-edited':
    case 'question-answered':
    case 'turn-stopping':
      return answering;
    case 'plan-dropping':
      // Where its plan has ended meanwhile, it waits for what it waited for.
      return row.awaits === null ? {} : answering;
    case 'turn-ended':
      return { ...idle, lastOutcome: event.outcome };
    case 'undo-started':
    case 'compact-started':
      return answering;
    case 'turn-undone':
    case 'undo-failed':
      return idle;
    case 'context-summarised':
      return event.asked === true ? idle : {};
    case 'options-changed':
      return { mode: event.options.mode };
    case 'chat-renamed':
      return { title: event.title };
    case 'chat-closed':
      return { ...idle, state: 'closed', endedAt: event.at };
    case 'model-call-started':
      return spent(callStarted(row.spending, event));
    case 'model-call-finished':
      return spent(callFinished(row.spending, event));
    default:
      return {};
  }
}
