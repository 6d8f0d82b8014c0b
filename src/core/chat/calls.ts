import {
  approvalOf,
  type CallState,
  type ChatFact,
  type ChatOptions,
  type ChatState,
  calledPlanId,
  callsOf,
  readCall,
  type Turn,
  type TurnOutcome,
  toolReads,
} from '../contract/index.ts';
import { doneByPerson, failedResult } from '../run/index.ts';
import { needsApproval, wantChild } from '../stream/index.ts';
import { type ChatEffect, look, record, rest } from './work.ts';

type End = (state: ChatState, turn: Turn, outcome: TurnOutcome, message?: string) => ChatEffect;

/**
 * What becomes of the calls of one answer, in their order: those that only look side by side, up to the first that does not.
 *
 *   what cannot be read ─▶ refused │ ask_user ─▶ a question │ plan ─▶ a run of its own
 *   not judged ──────────▶ judge │ blocked ─▶ refused
 *   dangerous ───────────▶ ask, bound to what was judged
 *   else ────────────────▶ teacher asks each time, planner before the first change of a turn
 *   agreed ──────────────▶ checkpoint, once a turn ─▶ perform
 */
export function advanceCalls(
  state: ChatState,
  options: ChatOptions,
  turn: Turn,
  open: readonly CallState[],
  end: End,
): ChatEffect {
  const first = open[0]!;
  const others = open.findIndex(({ tool }) => !toolReads(tool));
  const group = toolReads(first.tool) ? open.slice(0, others === -1 ? open.length : others) : [first];
  for (const { id, tool, args } of group) {
    const read = readCall(tool, args);
    if (!read.ok) return record(refused(id, 'unsupported', read.message));
  }
  if (first.tool === 'ask_user') return question(state, options, turn, first, end);
  if (first.tool === 'plan') return plan(state, turn, first);
  const wanted = group.filter(({ tool, status }) => status === 'wanted' && tool !== 'diagnose');
  if (wanted.length > 0) return look({ kind: 'judge', state, calls: wanted });
  for (const call of group) {
    const asked = gate(state, options, turn, call, end);
    if (asked !== null) return asked;
  }
  const kept = toolReads(first.tool) ? null : checkpointFirst(state, options, turn, first, end);
  if (kept !== null) return kept;
  return {
    kind: 'perform',
    intent: [{ type: 'calls-started', callIds: group.map(({ id }) => id) }],
    work: { kind: 'calls', state, calls: group },
  };
}

export const refused = (
  callId: string,
  why: 'unsupported' | 'blocked' | 'denied',
  message: string,
): ChatFact => ({ type: 'call-finished', callId, result: failedResult(why, message), by: 'nobody' });

/** What stands against the call, or has to be asked first; null where it may be done. */
function gate(
  state: ChatState,
  options: ChatOptions,
  turn: Turn,
  call: CallState,
  end: End,
): ChatEffect | null {
  const { judged } = call;
  if (judged === null) return null;
  if (judged.verdict.level === 'blocked')
    return record(
      refused(call.id, 'blocked', judged.verdict.reasons[0]?.sentence ?? 'it is not done for anybody'),
    );
  const why = whyAsk(state, options, turn, call);
  if (why === null) return null;
  const approval = approvalOf(state, call.id);
  switch (approval?.status) {
    case 'granted':
      return null;
    case 'denied': {
      if (approval.did)
        return record({
          type: 'call-finished',
          callId: call.id,
          result: doneByPerson,
          text: 'The person has done it themselves.',
          by: 'person',
        });
      const because = approval.reason === null ? '' : `: ${approval.reason}`;
      return record(refused(call.id, 'denied', `the person does not want it done${because}`));
    }
    case 'needed':
      if (options.onAsk === 'wait') return rest('waiting');
      if (options.onAsk === 'fail')
        return end(state, turn, 'decision-needed', 'nobody was there to decide on a call');
      return record({
        type: 'approval-denied',
        approvalId: approval.id,
        reason: 'nobody was there to decide',
      });
    case 'withdrawn':
    case undefined:
      return record({
        type: 'approval-needed',
        approvalId: `${call.id}a${state.approvals.length}`,
        callId: call.id,
        why,
        ...judged,
      });
  }
}

/** Round 0 has what the message itself says: `@file`. */
const isWritten = ({ rounds }: Turn, { id }: CallState): boolean =>
  rounds.some(({ n, calls }) => n === 0 && calls.some((call) => call.id === id));

function whyAsk(state: ChatState, { mode }: ChatOptions, turn: Turn, call: CallState) {
  const { judged } = call;
  if (judged === null) return null;
  if (needsApproval({ ...judged, wantsMore: false })) return 'dangerous';
  // What the person wrote themselves, they have seen.
  if (turn.isCommand || isWritten(turn, call)) return null;
  if (mode === 'teacher') return 'teacher';
  if (toolReads(call.tool)) return null;
  const isFirst = !callsOf(turn).some(
    (other) =>
      other.id !== call.id &&
      !toolReads(other.tool) &&
      (other.started !== null || approvalOf(state, other.id)?.status === 'granted'),
  );
  return mode === 'planner' && judged.verdict.level !== 'safe' && isFirst ? 'first-change' : null;
}

function question(
  state: ChatState,
  { onAsk }: ChatOptions,
  turn: Turn,
  { id, args }: CallState,
  end: End,
): ChatEffect {
  const text = String((args as { question: string }).question);
  if (state.question === null) return record({ type: 'question-asked', callId: id, question: text });
  if (onAsk === 'wait') return rest('waiting');
  if (onAsk === 'fail') return end(state, turn, 'decision-needed', `nobody was there to answer: ${text}`);
  return record({ type: 'question-answered', callId: id, value: null });
}

/** The run is named after the call: its end is what the call came to. */
function plan(state: ChatState, turn: Turn, { id }: CallState): ChatEffect {
  const run = calledPlanId(state.begun!.chat, id);
  const outcome = turn.plans.find((one) => one.run === run);
  if (outcome === undefined) return wantChild(run, 'run') as ChatEffect;
  const { message, agreed } = outcome;
  return agreed
    ? record({
        type: 'call-finished',
        callId: id,
        result: doneByPerson,
        text: message,
        by: 'driver',
      })
    : record(refused(id, 'denied', `there is no plan: ${message}`));
}

/** A checkpoint before the first change of a turn, or what becomes of it without one; null where it may be done. */
function checkpointFirst(
  state: ChatState,
  { checkpoints }: ChatOptions,
  turn: Turn,
  { judged }: CallState,
  end: End,
): ChatEffect | null {
  if (checkpoints === 'off' || judged?.verdict.level === 'safe' || turn.range !== null) return null;
  const missing = state.missingCheckpoint;
  if (missing?.turn !== turn.n || missing.epoch !== state.epoch)
    return { ...look({ kind: 'checkpoint', state, when: 'before' }), settle: true } as ChatEffect;
  return missing.code === 'git-missing' && checkpoints === 'auto'
    ? null
    : end(state, turn, 'checkpoint-failed', missing.message);
}
