import { expect, it } from 'vitest';
import {
  type ChatEvent,
  type ChatState,
  defaultLimits,
  evolveChat,
  initialChatState,
  type StepResult,
} from '../contract/index.ts';
import { failedResult } from '../run/index.ts';
import { next } from './next.ts';
import { planEvents } from './plans.ts';

const options = {
  mode: 'agentic',
  onAsk: 'wait',
  planning: 'auto',
  onFailure: 'continue',
  limits: { money: 2, tokens: 1000, toolRounds: 25, corrections: 3 },
  runLimits: { ...defaultLimits, retriesPerStep: 3 },
  checkpoints: 'off',
  shell: 'bash',
  chain: { planner: [], fast: [] },
} as const;
const place = { host: 'h', boot: 'b', workspace: '/w' };
const signal = {
  originalTool: 'edit_file',
  originalError: 'not there',
  suggestedApproach: 'another',
  fallbackTools: ['write_file'],
};
const failed: StepResult = { ...failedResult('not-started', 'SELF_CORRECT_ATTEMPT: x'), selfCorrect: signal };

const fold = (events: object[], state: ChatState = initialChatState): ChatState =>
  events.reduce<ChatState>(
    (now, body) => evolveChat(now, { seq: now.seq + 1, event: { v: 1, at: 0, ...body } as ChatEvent }),
    state,
  );

/** A message in which a plan was made, whose calls of tools were mended so often. */
const planned = (corrections: number): ChatState =>
  fold([
    { type: 'chat-begun', chat: 'c', place, options },
    { type: 'turn-begun', turn: 1, text: 'Change two to 2', answers: 1 },
    { type: 'turn-considered', turn: 1, plan: false, score: 0, reasons: [], calls: [] },
    {
      ...{ type: 'plan-results', turn: 1, run: 'cpt1r1c0', state: 'failed', reason: null, agreed: true },
      ...{ message: 'm', corrections, steps: [] },
    },
  ]);

let rounds = 0;
/** The model edits what is not there, and what becomes of that is written down as far as it goes by itself. */
function edits(state: ChatState): { state: ChatState; said: object[] } {
  rounds += 1;
  const id = `t1r${rounds}c0`;
  const call = { id, wire: id, tool: 'edit_file', args: { path: 'a', old: 'two', new: '2' } };
  let now = fold(
    [
      { type: 'model-answered', turn: 1, round: rounds, text: '', calls: [call], model: null },
      { type: 'call-finished', callId: id, result: failed, by: 'driver' },
    ],
    state,
  );
  const said: object[] = [];
  for (;;) {
    const effect = next(now);
    if (effect.kind !== 'record') return { state: now, said };
    said.push(...effect.facts);
    now = fold([...effect.facts], now);
  }
}

it.each([
  [0, [1, 2, 3]],
  [1, [2, 3]],
  [3, []],
] as const)(
  'what a plan of the message mended %i times is tried in another way as often as is left of three',
  (before, attempts) => {
    rounds = 0;
    let state = planned(before);
    const said: object[] = [];
    for (let n = 0; n <= attempts.length; n += 1) {
      const done = edits(state);
      state = done.state;
      said.push(...done.said);
    }
    expect(said).toMatchObject([
      ...attempts.map((n) => ({ type: 'correction-attempt', n })),
      { type: 'correction-failed', attempts: 3 },
    ]);
  },
);

it('a plan that begins after the message was tried in other ways has what is left of three', () => {
  const left = (state: ChatState) => {
    const [given] = planEvents(state, 'cp1');
    return given?.type === 'goal-given' ? given.options.limits.retriesPerStep : null;
  };
  rounds = 0;
  const once = edits(planned(0)).state;
  const twice = edits(once).state;
  expect([left(planned(0)), left(once), left(twice), left(edits(twice).state)]).toEqual([3, 2, 1, 0]);
  expect(left(planned(2))).toBe(1);
});
