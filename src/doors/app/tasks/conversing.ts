import { type ChatState, committed, turnsOf } from '../../../core/contract/index.ts';
import type { Conversing, TurnSaid } from '../../../mind/tasks/index.ts';
import { ownerAt } from '../asker.ts';
import type { TaskDriving } from './driving.ts';

/** After a stop, how often it is looked whether it has ended. */
const MOST_LOOKS = 50;

/** The house's own conversations, as Planwright's agent has them. */
export function conversing(given: TaskDriving): Conversing {
  const [streams, chats] = [given.streams(), given.chats()];
  const by = ownerAt('worker');
  const read = (state: ChatState, n: number, counted: { usd: number; tokens: number }): TurnSaid => {
    const turn = turnOf(state, n);
    const spent = committed(state.spending);
    return {
      outcome: turn?.outcome ?? 'stopped',
      text: turn?.rounds.findLast(({ text }) => text !== '')?.text ?? '',
      message: turn?.message ?? null,
      question: null,
      rounds: turn?.rounds.length ?? 0,
      costUsd: Math.max(0, spent.usd - counted.usd),
      tokens: Math.max(0, spent.tokens - counted.tokens),
    };
  };

  return {
    hasModel: async () => (await (await given.models()).chainOf('chat')).length > 0,
    begin: (run, workspace, { onAsk, money, turns }, mayChange) =>
      chats.begin({
        workspace,
        key: `agent:${run}`,
        choices: {
          attended: false,
          // What may change nothing asks before the first change, and nobody is there to say yes.
          mode: mayChange ? 'agentic' : 'planner',
          onAsk: mayChange ? (onAsk === 'wait' ? 'park' : onAsk) : 'deny',
          planning: 'never',
          money,
          toolRounds: turns,
        },
      }),
    async say(chat, text, { signal, onOutput, isCounted }) {
      const before = await chats.state(chat);
      const counted = isCounted ? committed(before.spending) : { usd: 0, tokens: 0 };
      const n = before.turns + 1;
      await chats.request(chat, { type: 'message-sent', text, plan: 'never' }, { by });
      const watching = new AbortController();
      const told = follow(given, chat, n, onOutput, watching.signal);
      let stopped = 0;
      try {
        for (;;) {
          const rested = await chats.drive(chat);
          const state = await chats.state(chat);
          if (turnOf(state, n)?.outcome != null) return read(state, n, counted);
          if (state.question !== null && stopped === 0) {
            const { text: question } = state.question;
            await chats.request(chat, { type: 'stop-requested' }, { by });
            await chats.drive(chat);
            return { ...read(await chats.state(chat), n, counted), question };
          }
          if (signal.aborted) {
            stopped += 1;
            // Whoever else has it hears of it when they look.
            if (stopped > MOST_LOOKS) return read(state, n, counted);
            if (stopped === 1) await chats.request(chat, { type: 'stop-requested' }, { by });
            if (stopped === 1) continue;
          }
          // Somebody decides elsewhere, or another process has it.
          const most = AbortSignal.timeout(stopped > 0 ? 200 : 5000);
          await streams.changed(chat, rested.seq, stopped > 0 ? most : AbortSignal.any([signal, most]));
        }
      } finally {
        watching.abort();
        await told;
      }
    },
  };
}

/**
 * Ends what a conversation is at, whoever drives it: it would be gone on with like any other that a dead driver left, in a
 * worktree that is nobody's any more. Resolves when it rests, or after so many looks.
 */
export async function endConversation(given: TaskDriving, chat: string, key: string): Promise<void> {
  const [streams, chats] = [given.streams(), given.chats()];
  const isAtRest = ({ turn, inbox }: ChatState) =>
    inbox.length === 0 && (turn === null || turn.outcome !== null);
  if (isAtRest(await chats.state(chat))) return;
  await chats.request(chat, { type: 'stop-requested' }, { by: ownerAt('worker'), key });
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { seq } = await chats.drive(chat);
    if (isAtRest(await chats.state(chat))) return;
    await streams.changed(chat, seq, AbortSignal.timeout(200));
  }
}

/** What the model says and which tools it calls, as it happens. It is for watching: where it fails, the agent goes on. */
async function follow(
  given: TaskDriving,
  chat: string,
  n: number,
  onOutput: (chunk: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const streams = given.streams();
  const told = new Set<string>();
  const tellOnce = (key: string, text: string) => {
    if (text === '' || told.has(key)) return;
    told.add(key);
    onOutput(`${text.trimEnd()}\n`);
  };
  try {
    for (;;) {
      const isLast = signal.aborted;
      const { state, seq } = await streams.folded(chat);
      for (const { n: round, text, calls } of turnOf(state as ChatState, n)?.rounds ?? []) {
        tellOnce(`${round}`, text);
        for (const { id: callId, tool, status, result } of calls) {
          tellOnce(`${callId}:${tool}`, `▸ ${tool}`);
          if (status === 'done')
            tellOnce(
              `${callId} done`,
              result?.why === undefined ? '  done' : `  ${result.message ?? result.why}`,
            );
        }
      }
      if (isLast) return;
      await streams.changed(chat, seq, signal);
    }
  } catch {
    // Nobody is told of it.
  }
}

const turnOf = (state: ChatState, n: number) =>
  state.turn?.n === n ? state.turn : turnsOf(state).find((turn) => turn.n === n);
