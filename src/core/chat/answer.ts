import {
  approvalOf,
  type ChatFact,
  type ChatOptions,
  type ChatRequest,
  type ChatState,
  callOf,
  type Pending,
  readCall,
} from '../contract/index.ts';
import { problemOfGiven } from '../run/index.ts';
import { type ChatEffect, record } from './work.ts';

/** The conversation is to be closed, and its turn is being ended first: the request is answered after that. */
export const isClosing = ({ inbox, turn, stoppedBy }: ChatState): boolean =>
  inbox[0]?.request.type === 'close-requested' && turn !== null && stoppedBy !== null;

/** Answers a request, by the fact that makes it so or by a refusal. Pure. */
export function answer(state: ChatState, { seq: answers, request }: Pending<ChatRequest>): ChatEffect {
  const refuse = (code: string, message: string): ChatEffect =>
    record({ type: 'request-refused', answers, code, message });
  const { turn, by } = { turn: state.turn?.n ?? 0, by: request.by };
  const needsIdle = idleOnly.has(request.type);
  if (state.closed) return refuse('closed', 'the conversation is closed: begin another');
  if (needsIdle && state.turn !== null)
    return refuse('turn-open', 'it is still at the message before: wait for it, or stop it');
  switch (request.type) {
    case 'message-sent': {
      const { text, plan, given, pictures } = request;
      const problem = given === undefined ? null : problemOfGiven(given.plan);
      if (problem !== null) return refuse(problem.code, `${problem.message} ${problem.mend}`);
      const asked = {
        ...(given === undefined ? {} : { given }),
        ...(plan === undefined ? {} : { plan }),
        ...(pictures === undefined ? {} : { pictures }),
      };
      return record({ type: 'turn-begun', turn: state.turns + 1, text, ...asked, answers });
    }
    case 'stop-requested':
      if (state.turn === null || state.stoppedBy !== null)
        return refuse('nothing-to-stop', 'there is nothing to stop');
      return record({ type: 'turn-stopping', turn, by, answers });
    case 'approval-decided':
      return decided(state, request, answers) ?? refuse('no-such-approval', 'nobody waits for this decision');
    case 'edit-requested': {
      const { callId, args } = request;
      const call = callOf(state, callId);
      const isAsked = approvalOf(state, callId)?.status === 'needed' && call?.status === 'judged';
      if (call === undefined || !isAsked) return refuse('no-such-approval', 'nobody waits for this decision');
      const read = readCall(call.tool, args);
      if (!read.ok) return refuse('does-not-fit', read.message);
      return record({ type: 'call-edited', callId, args, answers });
    }
    case 'answer-given': {
      const { callId, value } = request;
      if (state.question?.callId !== callId)
        return refuse('no-such-question', 'nobody waits for this answer');
      return record({ type: 'question-answered', callId, value, answers });
    }
    case 'plan-dropped':
      if (state.dropped !== null || !state.children.some((child) => child.ended === null))
        return refuse('no-plan', 'there is no plan to drop');
      return record({ type: 'plan-dropping', turn, by, answers });
    case 'options-requested':
      return record({ type: 'options-changed', options: changed(state.options!, request), answers });
    case 'rename-requested':
      return record({ type: 'chat-renamed', title: request.title, answers });
    case 'undo-requested':
      return undo(state, request.turn, answers) ?? refuse('nothing-to-undo', 'there is no such turn');
    case 'compact-requested': {
      const upTo = state.past.at(-1)?.at(-1)?.n;
      if (upTo === undefined || state.summary?.upTo === upTo)
        return refuse('nothing-to-compact', 'nothing was said since the last summary');
      return record({ type: 'compact-started', upTo, answers });
    }
    case 'clear-requested':
      return record({ type: 'chat-cleared', answers });
    case 'close-requested':
      return state.turn === null
        ? record({ type: 'chat-closed', answers })
        : record({ type: 'turn-stopping', turn, by });
  }
}

const idleOnly: ReadonlySet<ChatRequest['type']> = new Set([
  'message-sent',
  'undo-requested',
  'compact-requested',
  'clear-requested',
]);

/** What was granted and not begun yet can still be denied. */
function decided(
  state: ChatState,
  { approvalId, decision, reason }: Extract<ChatRequest, { type: 'approval-decided' }>,
  answers: number,
): ChatEffect | null {
  const approval = state.approvals.find(({ id }) => id === approvalId);
  // What was done without it, in a mode that does not ask, or is over with its turn, is nobody's to decide any more.
  if (approval === undefined || callOf(state, approval.callId)?.status !== 'judged') return null;
  const isOpen = approval.status === 'needed';
  const isOverruled = approval.status === 'granted' && decision === 'deny';
  if (!isOpen && !isOverruled) return null;
  if (decision === 'approve') return record({ type: 'approval-granted', approvalId, answers });
  const denied: ChatFact = { type: 'approval-denied', approvalId, answers };
  return record({
    ...denied,
    ...(reason === undefined ? {} : { reason }),
    ...(decision === 'did-it' ? { did: true as const } : {}),
  });
}

function changed(
  options: ChatOptions,
  { mode, onAsk, planning, model, limits }: Extract<ChatRequest, { type: 'options-requested' }>,
): ChatOptions {
  const { model: before, ...rest } = options;
  const asked = model === undefined ? before : model;
  return {
    ...rest,
    mode: mode ?? options.mode,
    onAsk: onAsk ?? options.onAsk,
    planning: planning ?? options.planning,
    limits: {
      money: limits?.money ?? options.limits.money,
      tokens: limits?.tokens ?? options.limits.tokens,
      toolRounds: limits?.toolRounds ?? options.limits.toolRounds,
      corrections: limits?.corrections ?? options.limits.corrections,
    },
    ...(asked == null ? {} : { model: asked }),
  };
}

function undo(state: ChatState, wanted: number | undefined, answers: number): ChatEffect | null {
  const past = state.past.flat();
  const turn = wanted === undefined ? past.at(-1) : past.find(({ n }) => n === wanted);
  return turn === undefined ? null : record({ type: 'undo-started', turn: turn.n, answers });
}
