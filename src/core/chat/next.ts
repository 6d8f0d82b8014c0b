import {
  type ChatOptions,
  type ChatState,
  callsOf,
  correctionsUsed,
  isSameHost,
  planIdOf,
  type Round,
  sha256Hex,
  type Turn,
  type TurnOutcome,
  toolReads,
} from '../contract/index.ts';
import { awaitChild, wantChild } from '../stream/index.ts';
import { answer, isClosing } from './answer.ts';
import { advanceCalls } from './calls.ts';
import { planEvents } from './plans.ts';
import { type ChatEffect, ended, look, record, rest } from './work.ts';

/**
 * What a conversation does now. Pure: the same state gives the same effect.
 *
 *   a call in flight ───▶ recover: done, not started, or unknown, and then the model is told
 *   the model was asked ▶ its answer is lost: say so
 *   undo, summary begun ▶ bring it to its end
 *   request waiting ────▶ answer it
 *   no turn open ───────▶ rest
 *   a turn is open:
 *     its plan is open ────▶ begin it │ tell it to stop │ rest until it has ended │ look how it ended
 *     stopped ─────────────▶ end the turn
 *     not considered ──────▶ consider it: a plan, a command, files to read; one that was given is run as it is
 *     it wants a plan ─────▶ begin one; one that was agreed on ends the turn, one that was not goes on here
 *     calls are open ──────▶ judge │ ask a person │ perform: see calls.ts
 *     a tool gave the signal ▶ try another way, three times at most, then have the model say so
 *     the model is through ▶ end the turn
 *     too much was said ───▶ sum it up │ else ask the model, 25 times at most
 *
 *   work, and the driver is on another host than the conversation ──▶ rest
 */
export function next(state: ChatState): ChatEffect {
  const effect = decide(state);
  const { driver, place } = state;
  const isElsewhere = driver !== null && !isSameHost(driver.host, place.host);
  return effect.kind === 'perform' && isElsewhere ? rest('elsewhere') : effect;
}

function decide(state: ChatState): ChatEffect {
  const { turn, thinking, undoing, compacting, options } = state;
  if (state.begun === null || options === null || state.unreadable.length > 0) return rest('unreadable');
  // Whatever is in flight when this is asked is nobody's any more.
  const lost = callsOf(turn).find(({ status }) => status === 'running');
  if (lost !== undefined) return look({ kind: 'recover', state, call: lost });
  if (thinking !== null && turn !== null) {
    const message = 'the process that waited for the answer was gone';
    return record({
      type: 'model-failed',
      turn: turn.n,
      round: thinking.round,
      why: 'interrupted',
      message,
    });
  }
  if (undoing !== null) return look({ kind: 'undo', state, turn: undoing.turn });
  if (compacting !== null) return look({ kind: 'compact', state, upTo: compacting, asked: true });
  const pending = state.inbox[0];
  if (pending !== undefined && !isClosing(state)) return answer(state, pending);
  if (turn === null) return rest(state.closed ? 'finished' : 'waiting');
  return advance(state, options, turn);
}

function advance(state: ChatState, options: ChatOptions, turn: Turn): ChatEffect {
  const isStopping = state.stoppedBy !== null;
  const by = state.stoppedBy ?? state.dropped ?? { person: 'the conversation', door: 'worker' as const };
  const waits = awaitChild(state.children, isStopping || state.dropped !== null, (child) =>
    planEvents(state, child.id),
  );
  if (waits !== null)
    return waits.kind === 'perform' ? { ...waits, work: { ...waits.work, by } } : (waits as ChatEffect);
  const unseen = state.children.find(({ id }) => !turn.plans.some(({ run }) => run === id));
  if (unseen !== undefined) return look({ kind: 'results', state, run: unseen.id });
  if (isStopping) return end(state, turn, 'stopped');
  if (turn.considered === null && turn.given === undefined) return look({ kind: 'consider', state });

  const own = planIdOf(state.begun!.chat, turn.n);
  const planned = turn.plans.find(({ run }) => run === own);
  const wantsPlan = turn.given !== undefined || turn.considered?.plan === true;
  if (wantsPlan && planned === undefined) return wantChild(own, 'run') as ChatEffect;
  if (planned?.agreed || (planned !== undefined && turn.given !== undefined))
    return end(state, turn, 'planned', planned.message);

  const last = turn.rounds.at(-1);
  if (last === undefined) return ask(state, options, turn, 1);
  if (last.failure !== null) return afterFailure(state, options, turn, last, last.failure);
  // It was told to call nothing more: what it calls all the same is not done.
  if (turn.correctionFailed !== null && last.note === null) return end(state, turn, 'correction-failed');
  const open = last.calls.filter(({ status }) => status !== 'done');
  if (open.length > 0) return advanceCalls(state, options, turn, open, end);
  if (last.calls.length === 0) return end(state, turn, saidBy(turn, last));
  if (turn.isCommand) return look({ kind: 'reply', state, round: last.n + 1 });
  return handleSelfCorrectAttempt(options, turn, last) ?? ask(state, options, turn, last.n + 1);
}

const saidBy = ({ rounds, isCommand }: Turn, { model }: Round): TurnOutcome =>
  model === null && !isCommand && rounds.some(({ failure }) => failure?.why === 'no-model')
    ? 'no-model'
    : 'answered';

function ask(state: ChatState, options: ChatOptions, turn: Turn, round: number): ChatEffect {
  if (round > options.limits.toolRounds) {
    const message = `the model was asked ${options.limits.toolRounds} times, which is the most for one message`;
    return end(state, turn, 'rounds', message);
  }
  return {
    kind: 'perform',
    intent: [{ type: 'model-asked', turn: turn.n, round }],
    work: { kind: 'ask', state, round, bare: turn.correctionFailed !== null },
  };
}

function afterFailure(
  state: ChatState,
  options: ChatOptions,
  turn: Turn,
  { n }: Round,
  { why, message }: NonNullable<Round['failure']>,
): ChatEffect {
  switch (why) {
    case 'interrupted':
      return ask(state, options, turn, n + 1);
    case 'no-model':
      return look({ kind: 'reply', state, round: n + 1 });
    case 'limit':
      return end(state, turn, 'limit', message);
    default:
      return end(state, turn, 'failed', message);
  }
}

/** Another way, where a tool said that there is one; null where none did. Under the seed's name. */
function handleSelfCorrectAttempt(options: ChatOptions, turn: Turn, last: Round): ChatEffect | null {
  const key = sha256Hex(turn.text);
  const tried = turn.corrections.at(-1);
  const isOfThis = last.calls.some(({ id }) => id === tried?.callId);
  const mended = last.calls.find(
    ({ tool, result }) => !toolReads(tool) && result !== null && result.why === undefined,
  );
  if (tried?.status === 'tried' && !isOfThis && mended !== undefined)
    return record({ type: 'correction-success', turn: turn.n, key, n: tried.n, callId: mended.id });
  const known = new Set(turn.corrections.map(({ callId }) => callId));
  const failed = last.calls.find(({ id, result }) => result?.selfCorrect !== undefined && !known.has(id));
  const signal = failed?.result?.selfCorrect;
  if (failed === undefined || signal === undefined || turn.correctionFailed !== null) return null;
  const n = correctionsUsed(turn) + 1;
  return n > options.limits.corrections
    ? record({ type: 'correction-failed', turn: turn.n, key, attempts: n - 1, signal })
    : record({ type: 'correction-attempt', turn: turn.n, key, n, callId: failed.id, signal });
}

/** Ends what still runs, keeps what the turn left, and ends it. */
function end(state: ChatState, turn: Turn, outcome: TurnOutcome, message?: string): ChatEffect {
  if (state.hasStrays || state.groups.length > 0) return look({ kind: 'release', state });
  const isMissing = state.missingCheckpoint?.turn === turn.n;
  if (turn.range !== null && turn.range.after === null && !isMissing)
    return { ...look({ kind: 'checkpoint', state, when: 'after' }), settle: true } as ChatEffect;
  return record(ended(turn.n, outcome, message));
}
