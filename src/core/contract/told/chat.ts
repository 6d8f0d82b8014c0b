import type { ShownStep } from '../approval.ts';
import {
  type Action,
  actionText,
  type CallState,
  type ChatApproval,
  type ChatEvent,
  type ChatState,
  callOf,
  SELF_CORRECT_ATTEMPT,
  type ToolCall,
  type TurnOutcome,
  toolParts,
} from '../index.ts';
import { dollars } from '../stream/dollars.ts';
import { committed } from '../stream/spending.ts';
import { weighty } from './approval.ts';
import { count, grouped } from './text.ts';

/** What a conversation does and asks, in words. */

/** A call in one line: its tool and what it is done to. */
export function callWords({ tool, args }: Pick<ToolCall, 'tool' | 'args'>): string {
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
  const edits = Array.isArray(given['edits']) ? `${given['edits'].length} edits` : undefined;
  const about =
    given['path'] ?? given['command'] ?? given['pattern'] ?? given['question'] ?? given['goal'] ?? edits;
  return about === undefined ? tool : `${tool} ${String(about)}`;
}

/** What a conversation waits for a person to decide. */
export type ChatQuestion =
  | { kind: 'approval'; approval: ChatApproval; call: CallState }
  | { kind: 'answer'; callId: string; text: string };

/** The open question of a conversation; null where there is none, or where its plan asks, which is a run. */
export function chatQuestion(state: Pick<ChatState, 'approvals' | 'question' | 'turn'>): ChatQuestion | null {
  const approval = state.approvals.find(({ status }) => status === 'needed');
  const call = approval && callOf(state, approval.callId);
  if (approval !== undefined && call !== undefined) return { kind: 'approval', approval, call };
  return state.question === null ? null : { kind: 'answer', ...state.question };
}

/** Whether somebody has answered it, and it has not been acted on. */
export const isChatAnswered = ({ inbox }: Pick<ChatState, 'inbox'>, question: ChatQuestion): boolean =>
  inbox.some(({ request }) => {
    switch (request.type) {
      case 'stop-requested':
      case 'close-requested':
        return true;
      case 'approval-decided':
        return question.kind === 'approval' && question.approval.id === request.approvalId;
      case 'answer-given':
        return question.kind === 'answer' && question.callId === request.callId;
      default:
        return false;
    }
  });

const asked: Record<ChatApproval['why'], string> = {
  dangerous: 'This is dangerous',
  'first-change': 'This is the first change for this message',
  teacher: 'In teacher mode you make each call, or have it made',
};

/** A tool of ours by what it stands for; any other action as it is. */
const partsOf = (action: Action): readonly Action[] =>
  (action.kind === 'call-tool' ? toolParts(action) : null) ?? [action];

const MOST_LINES = 20;

function actionLines(action: Action): string[] {
  const { verb, text, body, swap } = actionText(action);
  const some = (of: string, mark: string): string[] => {
    const lines = of.split('\n');
    const left = lines.length - MOST_LINES;
    const shown = lines.slice(0, MOST_LINES).map((line) => `  ${mark} ${line}`);
    return left > 0 ? [...shown, `  ${mark} … ${count(left, 'more line')}`] : shown;
  };
  return [
    `  ${verb === null ? text : `${verb} ${text}`}`,
    ...(body === undefined ? [] : some(body, '|')),
    ...(swap === undefined ? [] : [...some(swap.old, '-'), ...some(swap.new, '+')]),
  ];
}

/** What somebody who decides on a call has to know, line by line. */
export const callApprovalWords = (approval: ChatApproval): string[] => [
  `${asked[approval.why]}:`,
  ...agentApprovalWords(approval),
];

/** The same of what a coding agent wants to do. */
export function agentApprovalWords({ verdict, subject }: ShownStep): string[] {
  const paths = subject.paths.length === 0 ? [] : [`It touches ${subject.paths.slice(0, 5).join(', ')}`];
  return [
    ...partsOf(subject.action).flatMap(actionLines),
    ...weighty(verdict).map(({ sentence }) => sentence),
    ...(subject.unknownPaths === undefined ? paths : [...paths, subject.unknownPaths]),
  ];
}

/** How a turn ended, where that is not simply an answer; null where it is. */
export const turnEndWords: Record<TurnOutcome, string | null> = {
  answered: null,
  planned: null,
  'no-model': null,
  stopped: 'Stopped.',
  failed: 'The model could not be asked',
  limit: 'The limit of the conversation is reached',
  rounds: 'It went on for too long',
  'correction-failed': 'It was tried in other ways, and none worked.',
  'decision-needed': 'Nobody was there to decide',
  'checkpoint-failed': 'The folder could not be kept as it was, so nothing was changed',
};

/** What the conversation has used so far, and what it may: `2 calls, 1,204 tokens, $0.03 of $2.00`. */
export function meterWords({ spending, options }: Pick<ChatState, 'spending' | 'options'>): string {
  const { usd, tokens, unpricedTokens } = committed(spending);
  const { money = 0, tokens: most = 0 } = options?.limits ?? {};
  const calls = count(spending.calls, 'call');
  const unpriced = `${grouped(unpricedTokens)} of ${count(most, 'token')} without a known price`;
  if (unpricedTokens > 0 && unpricedTokens === tokens) return `${calls}, ${unpriced}`;
  const priced = `${calls}, ${count(tokens, 'token')}, ${dollars(usd)} of ${dollars(money)}`;
  return unpricedTokens === 0 ? priced : `${priced}, ${unpriced}`;
}

/** One event as a line for people; null for those that say nothing to them. */
export function chatEventWords(event: ChatEvent, state: ChatState): string | null {
  switch (event.type) {
    case 'turn-considered':
      return event.plan
        ? `This looks like work of several steps (score ${event.score}): a plan is made first.`
        : null;
    case 'calls-started':
      // What the person has just typed is not said again.
      if (state.turn?.isCommand === true) return null;
      return event.callIds
        .flatMap((id) => callOf(state, id) ?? [])
        .map(callWords)
        .join('\n');
    case 'call-finished': {
      const call = callOf(state, event.callId);
      const { why, message, selfCorrect } = event.result;
      const tool = call?.tool ?? 'the call';
      // The rest of the signal is for the model.
      if (selfCorrect !== undefined)
        return `${tool} failed (${SELF_CORRECT_ATTEMPT}): ${selfCorrect.originalError}`;
      if (why === undefined) return null;
      return state.turn?.isCommand === true
        ? `It failed: ${message ?? why}`
        : `${tool} failed: ${message ?? why}`;
    }
    case 'call-interrupted':
      return event.finding === 'unknown'
        ? `${callOf(state, event.callId)?.tool ?? 'a call'} was interrupted, and nobody knows whether it was done: ${event.detail}`
        : null;
    case 'correction-attempt':
      return `Trying another way (${event.n} of ${state.options?.limits.corrections ?? event.n}): ${event.signal.fallbackTools.join(' or ')}`;
    case 'correction-success':
      return 'The other way worked.';
    case 'correction-failed':
      return 'No other way worked.';
    case 'plan-results':
      return event.message;
    case 'turn-ended': {
      const words = turnEndWords[event.outcome];
      return words === null || event.message === undefined ? words : `${words}: ${event.message}`;
    }
    case 'turn-undone': {
      const left =
        event.leftCount === 0 ? '' : `, ${event.leftCount} left as they are because they were changed since`;
      const note = event.message === undefined ? '' : ` ${event.message}`;
      return `Back to before message ${event.turn}: ${event.restored} paths put back${left}.${note}`;
    }
    case 'undo-failed':
      return `Message ${event.turn} is not taken back: ${event.message} /undo ${event.turn} tries again.`;
    case 'context-summarised':
      return `What was said up to message ${event.upTo} is kept in short.`;
    case 'chat-renamed':
      return `It is called “${event.title}” from now on.`;
    case 'request-refused':
      return event.message;
    default:
      return null;
  }
}

const isCommand = ({ tool }: Pick<ToolCall, 'tool'>): boolean => tool === 'run_command';

/** What a person edits of a call: a command as its text, anything else as JSON. */
export function editableCall(call: Pick<ToolCall, 'tool' | 'args'>): string {
  const { command } = (call.args ?? {}) as { command?: unknown };
  return isCommand(call) && typeof command === 'string' ? command : JSON.stringify(call.args, null, 2);
}

/** The arguments that the text stands for. Whether they fit the tool is found out when they are asked for. */
export function editedArgs(
  call: Pick<ToolCall, 'tool'>,
  text: string,
): { ok: true; args: ToolCall['args'] } | { ok: false; message: string } {
  if (isCommand(call)) return { ok: true, args: { command: text.trim() } };
  try {
    return { ok: true, args: JSON.parse(text) as ToolCall['args'] };
  } catch (error) {
    return { ok: false, message: `This is no JSON: ${error instanceof Error ? error.message : error}` };
  }
}
