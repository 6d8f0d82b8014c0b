import type { StepResult } from '../result.ts';
import { type CallState, type ChatState, initialChatState, type Turn } from './state.ts';

/** So much of what a call came to is sent at once; the rest where somebody wants it. */
const LONGEST = 4000;
/** So many names of a list. */
const MOST = 200;

/** A call as it is shown: `shortened` where there is more of its result. */
export type LeanCall = CallState & { shortened?: true };

/** What only drivers need of a conversation. */
const unseen = {
  performed: initialChatState.performed,
  groups: initialChatState.groups,
  sealed: initialChatState.sealed,
};

/** A conversation for whoever only looks: its last turns, and the numbers of those before them. */
export type LeanChat = Omit<ChatState, 'past' | keyof typeof unseen> & {
  past: readonly Turn[];
  /** Of the turns before `past`, oldest first. */
  earlier: readonly number[];
};

export function leanChat({ past, performed: _, groups: __, sealed: ___, ...state }: ChatState, last: number) {
  const all = past.flat();
  const from = Math.max(0, all.length - last);
  const lean: LeanChat = {
    ...state,
    turn: state.turn === null ? null : leanTurn(state.turn),
    past: all.slice(from).map(leanTurn),
    earlier: all.slice(0, from).map(({ n }) => n),
  };
  return lean;
}

/** The conversation again, to be folded on from its last turns. */
export const fullChat = ({ past, earlier: _, ...state }: LeanChat): ChatState => ({
  ...state,
  ...unseen,
  past: past.length === 0 ? [] : [past],
});

/** Turns never change once they are over: each is made lean once. */
const known = new WeakMap<Turn, Turn>();

export function leanTurn(turn: Turn): Turn {
  let lean = known.get(turn);
  if (lean === undefined) {
    const rounds = turn.rounds.map((round) => ({ ...round, calls: round.calls.map(leanCall) }));
    lean = { ...turn, rounds };
    known.set(turn, lean);
  }
  return lean;
}

function leanCall(call: CallState): LeanCall {
  const text = cut(call.text);
  const result = call.result === null ? null : leanResult(call.result);
  const isShort = text === call.text && result === call.result;
  return {
    ...call,
    text,
    result,
    started: null,
    spawned: null,
    prepared: null,
    ...(isShort ? {} : { shortened: true as const }),
  };
}

function leanResult(result: StepResult): StepResult {
  const { stdoutTail, stderrTail, captured } = result;
  const value = captured?.value;
  const isLong =
    stdoutTail.length > LONGEST ||
    stderrTail.length > LONGEST ||
    (typeof value === 'string' ? value.length > LONGEST : (value?.length ?? 0) > MOST);
  if (!isLong) return result;
  return {
    ...result,
    stdoutTail: cut(stdoutTail),
    stderrTail: cut(stderrTail),
    ...(captured === undefined
      ? {}
      : {
          captured: {
            ...captured,
            value: typeof value === 'string' ? cut(value) : (value ?? []).slice(0, MOST),
          },
        }),
  };
}

const cut = <T extends string | null>(text: T): T =>
  text !== null && text.length > LONGEST ? (text.slice(0, LONGEST) as T) : text;
