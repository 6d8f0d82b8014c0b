import { expect, test } from 'vitest';
import { evolveChat } from './evolve.ts';
import { type ChatEvent, chatEventTypes } from './facts.ts';
import { isKnownChatEvent } from './known.ts';
import { fullChat, leanChat } from './lean.ts';
import { type ChatState, initialChatState } from './state.ts';

const fold = (state: ChatState, ...events: object[]): ChatState =>
  events.reduce<ChatState>(
    (now, event) =>
      evolveChat(now, { seq: now.seq + 1, event: { v: 1, at: 1, ...event } as unknown as ChatEvent }),
    state,
  );

const turn = (n: number, output = 'x'): object[] => [
  { type: 'turn-begun', turn: n, text: `message ${n}`, answers: 1 },
  {
    type: 'model-answered',
    turn: n,
    round: 1,
    text: 'I look.',
    calls: [{ id: `t${n}r1c0`, wire: 'w', tool: 'run_command', args: { command: 'ls' } }],
    model: null,
  },
  {
    type: 'call-finished',
    callId: `t${n}r1c0`,
    by: 'driver',
    result: {
      exitCode: 0,
      signal: null,
      durationMs: 1,
      expectation: null,
      stdoutTail: output,
      stderrTail: '',
      outputBytes: 1,
      outputTruncated: false,
      leftover: false,
    },
  },
  { type: 'turn-ended', turn: n, outcome: 'answered' },
];

test('every event is known by its name, and no other', () => {
  expect(chatEventTypes.filter((type) => !isKnownChatEvent({ v: 1, type }))).toEqual([]);
  expect(isKnownChatEvent({ v: 2, type: 'turn-begun' })).toBe(false);
  expect(isKnownChatEvent({ v: 1, type: 'toString' })).toBe(false);
});

test('what comes after a lean look is folded as it is on the whole conversation', () => {
  const state = fold(initialChatState, ...[1, 2, 3, 4, 5].flatMap((n) => turn(n)));
  const lean = leanChat(state, 2);
  expect(lean.earlier).toEqual([1, 2, 3]);
  const page = JSON.parse(JSON.stringify(lean)) as typeof lean;
  const more = [
    ...turn(6),
    { type: 'turn-undone', turn: 5, restored: 0, left: [], leftCount: 0 },
    ...turn(7),
  ];
  const [here, there] = [fold(state, ...more), fold(fullChat(page), ...more)];
  expect(there.past.flat().map(({ n }) => n)).toEqual([4, 7]);
  expect(here.past.flat().map(({ n }) => n)).toEqual([1, 2, 3, 4, 7]);
  expect({ ...there, past: [] }).toEqual({ ...here, past: [] });
});

test('what a call said at length is cut and marked; what is short stays as it is', () => {
  const state = fold(initialChatState, ...turn(1, 'y'.repeat(100_000)), ...turn(2));
  const [long, short] = leanChat(state, 5).past.map(({ rounds }) => rounds[0]!.calls[0]!);
  expect(long).toHaveProperty('shortened', true);
  expect(JSON.stringify(long).length).toBeLessThan(6000);
  expect(short).not.toHaveProperty('shortened');
  expect(short?.result?.stdoutTail).toBe('x');
});
