import {
  type CallState,
  type ChatEvent,
  type ChatFact,
  type ChatState,
  type Driver,
  hostId,
  toolReads,
} from '../contract/index.ts';
import { createLedger, type Machine, type PerformContext, performChild } from '../stream/index.ts';
import { refused } from './calls.ts';
import { chatKind } from './kind.ts';
import { judge, performCalls, recover } from './perform-calls.ts';
import type { ChatPorts } from './ports.ts';
import { takeCheckpoint, undoTurns } from './undo.ts';
import type { ChatWork, ChatWorkOf } from './work.ts';

export type ChatMachine = Machine<ChatState, ChatEvent, ChatFact, ChatWork>;
type Context = PerformContext<ChatFact>;

/** So many calls of one answer are looked at. */
const MOST_CALLS = 32;

/** The machine of conversations, over the ports that touch the world and think for it. */
export const createChatMachine = (
  driver: Driver,
  ports: ChatPorts,
  differs: Extract<ChatFact, { type: 'environment-differs' }> | null = null,
): ChatMachine => ({
  ...chatKind,
  holds: ({ place }, work) => {
    const changes = work.kind === 'calls' && work.calls.some(({ tool }) => !toolReads(tool));
    if (!changes && work.kind !== 'checkpoint' && work.kind !== 'undo') return 'as-is';
    return { host: hostId(place.host), path: place.workspace, worktree: place.worktree };
  },
  perform: (work, context) => perform(ports, work, context),
  crashed,
  claimed: (epoch) => [{ type: 'driver-claimed', epoch, driver }, ...(differs === null ? [] : [differs])],
  stamp: (body, at) => ({ ...body, v: 1, at }) as ChatEvent,
});

async function perform(ports: ChatPorts, work: ChatWork, context: Context): Promise<ChatFact[]> {
  switch (work.kind) {
    case 'consider':
      return consider(ports, work);
    case 'ask':
      return ask(ports, work, context);
    case 'reply': {
      const text = await ports.mind.reply(work.state);
      return [{ ...at(work), type: 'model-answered', text, calls: [], model: null }];
    }
    case 'judge':
      return Promise.all(work.calls.map((call) => judge(ports, work.state, call, context)));
    case 'calls':
      return performCalls(ports, work, context);
    case 'recover':
      return recover(ports, work);
    case 'results': {
      const outcome = await ports.outcomeOf(work.run);
      return [{ type: 'plan-results', turn: work.state.turn!.n, ...outcome, steps: [...outcome.steps] }];
    }
    case 'checkpoint':
      return takeCheckpoint(ports.checkpoints, work, context.signal);
    case 'undo':
      return undoTurns(ports, work, context.signal);
    case 'compact': {
      const { state, upTo, asked } = work;
      const { signal } = context;
      const text = await ports.mind.summarise({ state, upTo }, { signal, ledger: ledgerOf(state, context) });
      return [{ type: 'context-summarised', upTo, text, ...(asked ? { asked } : {}) }];
    }
    case 'release': {
      const { groups } = work.state;
      const { chat } = work.state.begun!;
      return [
        {
          type: 'processes-released',
          groups: await ports.performer.release(chat, [...groups], [], context.signal, context.epoch),
        },
      ];
    }
    case 'begin-child':
    case 'cancel-child':
      return performChild(ports.children, work, work.by);
  }
}

const at = ({ state, round }: { state: ChatState; round: number }) => ({ turn: state.turn!.n, round });

const ledgerOf = (state: ChatState, context: Context) =>
  createLedger({
    ...context,
    stream: state.begun!.chat,
    spending: state.spending,
    limits: state.options!.limits,
  });

function consider({ mind }: ChatPorts, { state }: ChatWorkOf<'consider'>): ChatFact[] {
  const { n, text, plan } = state.turn!;
  const { calls, isCommand, ...score } = mind.consider(text, plan ?? state.options!.planning);
  return [
    {
      type: 'turn-considered',
      turn: n,
      ...score,
      calls: calls.map((call, index) => ({ ...call, ...namesOf(n, 0, index), wire: `person_${n}_${index}` })),
      ...(isCommand ? { command: true as const } : {}),
    },
  ];
}

const namesOf = (turn: number, round: number, index: number) => ({ id: `t${turn}r${round}c${index}` });

async function ask({ mind }: ChatPorts, work: ChatWorkOf<'ask'>, context: Context): Promise<ChatFact[]> {
  const { state, bare, round } = work;
  const ledger = ledgerOf(state, context);
  const facts: ChatFact[] = [];
  const upTo = mind.tooLong(state);
  let now = state;
  if (upTo !== null) {
    const text = await mind.summarise({ state, upTo }, { signal: context.signal, ledger });
    now = { ...state, summary: { upTo, text } };
    facts.push({ type: 'context-summarised', upTo, text });
  }
  const answer = await mind.answer({ state: now, bare }, { signal: context.signal, ledger });
  if (!answer.ok) {
    const { why, message } = answer;
    return [...facts, { ...at(work), type: 'model-failed', why, message }];
  }
  const { text, model, cutOff } = answer;
  const calls = answer.calls.slice(0, MOST_CALLS).map(({ wire, tool, args }, index) => ({
    ...namesOf(state.turn!.n, round, index),
    wire,
    tool,
    args: (args ?? null) as CallState['args'],
  }));
  return [
    ...facts,
    {
      ...at(work),
      type: 'model-answered',
      text,
      // What broke off is not done by halves.
      calls: cutOff ? [] : calls,
      model,
      ...(cutOff ? { cutOff } : {}),
    },
  ];
}

/** A port that broke its word and threw. Nothing is pretended. */
function crashed(work: ChatWork, error: unknown): ChatFact[] {
  const message = error instanceof Error ? error.message : String(error);
  switch (work.kind) {
    case 'ask':
      return [{ ...at(work), type: 'model-failed', why: 'error', message }];
    case 'reply':
      return [{ ...at(work), type: 'model-answered', text: message, calls: [], model: null }];
    case 'judge':
      return work.calls.map(({ id }) => refused(id, 'blocked', `it could not be judged: ${message}`));
    case 'calls':
      return work.calls.map(({ id }) => ({
        type: 'call-interrupted',
        callId: id,
        finding: 'unknown',
        detail: message,
      }));
    case 'recover':
      return [{ type: 'call-interrupted', callId: work.call.id, finding: 'unknown', detail: message }];
    case 'checkpoint':
      return [
        { type: 'checkpoint-failed', turn: work.state.turn!.n, when: work.when, code: 'internal', message },
      ];
    case 'undo':
      return [{ type: 'undo-failed', turn: work.turn, message: `${message}.` }];
    case 'compact':
      return [
        {
          type: 'context-summarised',
          upTo: work.upTo,
          text: null,
          ...(work.asked ? { asked: true as const } : {}),
        },
      ];
    case 'release':
      return [{ type: 'processes-released', groups: [] }];
    case 'consider':
      return [
        {
          type: 'turn-considered',
          turn: work.state.turn!.n,
          plan: false,
          score: 0,
          reasons: [],
          calls: [],
        },
      ];
    case 'results':
    case 'begin-child':
    case 'cancel-child':
      throw error;
  }
}
