import { added, type Blocks } from '../blocks.ts';
import { decide, withdraw } from '../stream/approvals.ts';
import { isChildFact, withChild, withChildSpending } from '../stream/child.ts';
import { callFinished, callStarted, callsInterrupted } from '../stream/spending.ts';
import { evolveStream } from '../stream/state.ts';
import type { ChatEvent, ChatEventOf, ChatFactEvent, StoredChatEvent, ToolCall } from './facts.ts';
import { isKnownChatEvent } from './known.ts';
import { type ChatRequest, isChatRequest } from './requests.ts';
import { type CallState, type ChatState, callOf, type Round, type Turn } from './state.ts';

const folding = { isKnown: isKnownChatEvent, isRequest: isChatRequest, apply };

/** The conversation after one more event. Total: what does not fit changes nothing. */
export const evolveChat = (state: ChatState, stored: Pick<StoredChatEvent, 'seq' | 'event'>): ChatState =>
  evolveStream<ChatState, ChatEvent, ChatRequest>(state, stored, folding);

function apply(state: ChatState, event: ChatFactEvent): ChatState {
  if (isChildFact(event)) {
    const spending =
      event.type === 'child-ended' ? withChildSpending(state.spending, event.spending) : state.spending;
    return { ...state, children: withChild(state.children, event), spending };
  }
  switch (event.type) {
    case 'chat-begun':
      return {
        ...state,
        begun: event,
        place: event.place,
        workspace: event.place.workspace,
        options: event.options,
        sealed: event.sealed ?? [],
        session: { cwd: event.place.workspace, env: {} },
        createdAt: event.at,
      };
    case 'driver-claimed': {
      const { epoch, driver } = event;
      return { ...state, epoch, driver, spending: callsInterrupted(state.spending) };
    }
    case 'environment-differs':
      return { ...state, sealed: [...state.sealed, ...(event.sealed ?? [])] };
    case 'turn-begun':
      return { ...state, turn: freshTurn(event), turns: event.turn, approvals: [], children: [] };
    case 'turn-considered':
      return inTurn(state, (turn) => considered(turn, event));
    case 'model-asked':
      return { ...state, thinking: { round: event.round, epoch: state.epoch } };
    case 'model-answered':
      return { ...inTurn(state, (turn) => answered(turn, event)), thinking: null };
    case 'model-failed': {
      const { why, message } = event;
      const failed = { ...freshRound(event.round), failure: { why, message } };
      return { ...inTurn(state, (turn) => withRound(turn, failed)), thinking: null };
    }
    case 'model-call-started':
      return { ...state, spending: callStarted(state.spending, event) };
    case 'model-call-finished':
      return { ...state, spending: callFinished(state.spending, event) };
    case 'model-fell-back':
      return state;
    case 'call-judged': {
      const { callId, verdict, subject, fingerprint } = event;
      return inCall(state, callId, { status: 'judged', judged: { verdict, subject, fingerprint } });
    }
    case 'approval-needed':
      return needed(state, event);
    case 'approval-granted':
      return { ...state, approvals: decide(state.approvals, event.approvalId, 'granted', null) };
    case 'approval-denied': {
      const { approvalId, reason = null, did = false } = event;
      const approvals = decide(state.approvals, approvalId, 'denied', reason);
      return {
        ...state,
        approvals: approvals.map((one) => (one.id === approvalId && did ? { ...one, did } : one)),
      };
    }
    case 'call-edited':
      return edited(state, event);
    case 'calls-started':
      return event.callIds.reduce(startedCall, state);
    case 'process-spawned': {
      const { callId, group, heldBefore } = event;
      return { ...inCall(state, callId, { spawned: { group, heldBefore } }), hasStrays: true };
    }
    case 'change-prepared':
      return inCall(state, event.callId, { prepared: event.changes });
    case 'call-finished':
      return finished(state, event);
    case 'call-interrupted':
      return inCall(
        state,
        event.callId,
        event.finding === 'not-started'
          ? { status: 'judged', started: null, spawned: null, prepared: null }
          : { status: 'done', by: 'nobody', text: `${UNKNOWN} ${event.detail}` },
      );
    case 'question-asked': {
      const { callId, question: text } = event;
      return { ...inCall(state, callId, { asked: true }), question: { callId, text } };
    }
    case 'question-answered': {
      const { callId, value } = event;
      const text = value ?? 'Nobody was there to answer. Go on without, or say what you need.';
      const by = value === null ? 'nobody' : 'person';
      return { ...inCall(state, callId, { status: 'done', text, by }), question: null };
    }
    case 'correction-attempt':
      return inTurn(state, (turn) => corrected(turn, event));
    case 'correction-success':
      return inTurn(state, (turn) => ({
        ...turn,
        corrections: turn.corrections.map((one) =>
          one.n === event.n ? { ...one, status: 'succeeded' as const } : one,
        ),
      }));
    case 'correction-failed':
      return inTurn(state, (turn) => ({
        ...withNote(turn, CORRECTION_FAILED),
        correctionFailed: event.signal,
      }));
    case 'plan-results': {
      const { run, state: ended, reason, agreed, message, corrections, steps } = event;
      const outcome = { run, state: ended, reason, agreed, message, corrections, steps };
      return { ...inTurn(state, (turn) => ({ ...turn, plans: [...turn.plans, outcome] })), dropped: null };
    }
    case 'checkpoint-taken':
      return checkpointed(state, event);
    case 'checkpoint-failed': {
      const { turn, code, message } = event;
      return { ...state, missingCheckpoint: { turn, code, message, epoch: state.epoch } };
    }
    case 'processes-released':
      return { ...state, groups: [], hasStrays: false };
    case 'turn-stopping':
      return { ...state, stoppedBy: event.by, question: null, approvals: withdraw(state.approvals) };
    case 'plan-dropping':
      return { ...state, dropped: event.by };
    case 'turn-ended':
      return endedTurn(state, event);
    case 'undo-started':
      return { ...state, undoing: { turn: event.turn, answers: event.answers } };
    case 'undo-failed':
      return { ...state, undoing: null };
    case 'turn-undone':
      return undone(state, event.turn);
    case 'compact-started':
      return { ...state, compacting: event.upTo };
    case 'context-summarised':
      return { ...state, compacting: null, summary: { upTo: event.upTo, text: event.text } };
    case 'chat-cleared':
      return { ...state, summary: { upTo: state.turns, text: '' } };
    case 'options-changed':
      return { ...state, options: event.options };
    case 'chat-closed':
      return { ...state, closed: true };
    // What it is called is for listings alone.
    case 'chat-renamed':
    case 'request-refused':
    case 'refused-at-door':
      return state;
  }
}

const UNKNOWN =
  'It was interrupted, and nobody knows whether it was done. Look before you do anything like it again.';
const CORRECTION_FAILED =
  'None of the other approaches worked either. Call no more tools. Tell the person plainly what was not done, why, and what they could do.';

const freshTurn = ({ turn: n, text, at, plan, given, pictures = [] }: ChatEventOf<'turn-begun'>): Turn => ({
  n,
  text,
  at,
  plan: plan ?? null,
  ...(given === undefined ? {} : { given }),
  pictures,
  considered: null,
  isCommand: false,
  rounds: [],
  plans: [],
  corrections: [],
  correctionFailed: null,
  range: null,
  outcome: null,
  message: null,
});

const freshRound = (n: number): Round => ({
  n,
  text: '',
  calls: [],
  model: null,
  failure: null,
  note: null,
});

const freshCall = (call: ToolCall): CallState => ({
  ...call,
  status: 'wanted',
  judged: null,
  written: null,
  asked: false,
  result: null,
  text: null,
  by: null,
  started: null,
  spawned: null,
  prepared: null,
});

const inTurn = (state: ChatState, change: (turn: Turn) => Turn): ChatState =>
  state.turn === null ? state : { ...state, turn: change(state.turn) };

/** The last of a number stays: a call that was interrupted is made again under it. */
const withRound = (turn: Turn, round: Round): Turn => ({
  ...turn,
  rounds: [...turn.rounds.filter(({ n }) => n !== round.n), round],
});

function considered(turn: Turn, event: ChatEventOf<'turn-considered'>): Turn {
  const { plan, score, reasons, calls, command = false } = event;
  const next = { ...turn, considered: { plan, score, reasons }, isCommand: command };
  return calls.length === 0 ? next : withRound(next, { ...freshRound(0), calls: calls.map(freshCall) });
}

const answered = (turn: Turn, { round, text, calls, model }: ChatEventOf<'model-answered'>): Turn =>
  withRound(turn, { ...freshRound(round), text, model, calls: calls.map(freshCall) });

function inCall(state: ChatState, id: string, change: Partial<CallState>): ChatState {
  return inTurn(state, (turn) => ({
    ...turn,
    rounds: turn.rounds.map((round) =>
      round.calls.some((call) => call.id === id)
        ? { ...round, calls: round.calls.map((call) => (call.id === id ? { ...call, ...change } : call)) }
        : round,
    ),
  }));
}

function needed(state: ChatState, event: ChatEventOf<'approval-needed'>): ChatState {
  const { approvalId: id, callId, why, verdict, subject, fingerprint } = event;
  const approval = { id, callId, why, verdict, subject, fingerprint, did: false };
  return {
    ...inCall(state, callId, { asked: true }),
    // One question at a time: where the mode has changed since, the one before is asked again when its turn comes.
    approvals: [...withdraw(state.approvals), { ...approval, status: 'needed', warning: null, reason: null }],
  };
}

function edited(state: ChatState, { callId, args }: ChatEventOf<'call-edited'>): ChatState {
  const call = callOf(state, callId);
  if (call === undefined) return state;
  const written = call.written ?? call.args;
  const approvals = withdraw(state.approvals, (approval) => approval.callId === callId);
  return inCall({ ...state, approvals }, callId, { args, written, status: 'wanted', judged: null });
}

function startedCall(state: ChatState, id: string): ChatState {
  const { epoch, driver } = state;
  const started = { epoch, host: driver?.host ?? '', boot: driver?.boot ?? '' };
  const judged = callOf(state, id)?.judged;
  // Begun in a mode that does not ask, it leaves no question behind.
  const approvals = withdraw(state.approvals, ({ callId }) => callId === id);
  const next = inCall({ ...state, approvals }, id, { status: 'running', started });
  if (judged == null || judged.verdict.level === 'safe') return next;
  const { stepId, revision, action, cwd } = judged.subject;
  return { ...next, performed: added(state.performed, { stepId, revision, action, cwd }) };
}

function finished(state: ChatState, event: ChatEventOf<'call-finished'>): ChatState {
  const { callId, result, text = null, by } = event;
  const group = callOf(state, callId)?.spawned?.group;
  const next = inCall(state, callId, { status: 'done', result, text, by });
  return {
    ...next,
    session: result.session ?? state.session,
    groups: result.leftover && group !== undefined ? [...state.groups, group] : state.groups,
  };
}

const withNote = (turn: Turn, note: string): Turn => {
  const last = turn.rounds.at(-1);
  if (last === undefined) return turn;
  const said = last.note === null ? note : `${last.note}\n\n${note}`;
  return { ...turn, rounds: turn.rounds.with(-1, { ...last, note: said }) };
};

/** In the seed's words. */
const reengage = (request: string): string =>
  `The previous approach failed. Here's a more direct strategy:\n${request}\n\nPlease generate new tool calls using the suggested approach.`;

function corrected(turn: Turn, { n, callId, signal, at }: ChatEventOf<'correction-attempt'>): Turn {
  const call = turn.rounds.flatMap(({ calls }) => calls).find(({ id }) => id === callId);
  const request = call?.result?.message?.replace(/^[A-Z_]+: /, '') ?? signal.suggestedApproach;
  return {
    ...withNote(turn, reengage(request)),
    corrections: [...turn.corrections, { n, callId, signal, at, status: 'tried' }],
  };
}

function checkpointed(state: ChatState, event: ChatEventOf<'checkpoint-taken'>): ChatState {
  const { when, checkpoint, late = false } = event;
  return inTurn({ ...state, missingCheckpoint: null }, (turn) => ({
    ...turn,
    range:
      when === 'before' || turn.range === null
        ? { before: checkpoint, after: null, late: false, epoch: state.epoch }
        : { ...turn.range, after: checkpoint, late },
  }));
}

function endedTurn(state: ChatState, event: ChatEventOf<'turn-ended'>): ChatState {
  if (state.turn === null) return state;
  const turn = { ...state.turn, outcome: event.outcome, message: event.message ?? null };
  return {
    ...state,
    turn: null,
    past: added(state.past, turn),
    stoppedBy: null,
    dropped: null,
    question: null,
    thinking: null,
    approvals: withdraw(state.approvals),
  };
}

function undone(state: ChatState, turn: number): ChatState {
  const left = state.past.flat().filter(({ n }) => n < turn);
  const past = left.reduce<Blocks<Turn>>(added, []);
  const summary = state.summary !== null && state.summary.upTo >= turn ? null : state.summary;
  return { ...state, undoing: null, past, summary };
}
