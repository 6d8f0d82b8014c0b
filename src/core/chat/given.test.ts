import { expect, it } from 'vitest';
import {
  type Action,
  type ChatEvent,
  type ChatState,
  defaultLimits,
  evolveChat,
  hashPlan,
  initialChatState,
  type Plan,
} from '../contract/index.ts';
import { planOf } from '../run/testing/play.ts';
import { next } from './next.ts';
import { planEvents } from './plans.ts';

const options = {
  ...{
    mode: 'planner',
    onAsk: 'wait',
    planning: 'never',
    onFailure: 'continue',
    checkpoints: 'off',
    shell: 'bash',
  },
  limits: { money: 2, tokens: 1000, toolRounds: 25, corrections: 3 },
  runLimits: defaultLimits,
  chain: { planner: [], fast: [] },
};
const place = { host: 'h', boot: 'b', workspace: '/w' };
const by = { person: 'ana', door: 'acp' };

const fold = (...events: object[]): ChatState =>
  [{ type: 'chat-begun', chat: 'c', place, options }, ...events].reduce<ChatState>(
    (now, body) => evolveChat(now, { seq: now.seq + 1, event: { v: 1, at: 0, ...body } as ChatEvent }),
    initialChatState,
  );
const sent = (plan: Plan) => ({
  ...{ type: 'message-sent', key: 'k', by, text: '/run plan.yaml' },
  given: { plan, inputs: { name: 'x' } },
});
const results = (agreed: boolean) => ({
  ...{
    type: 'plan-results',
    turn: 1,
    run: 'cp1',
    state: 'done',
    reason: null,
    agreed,
    message: 'm',
    steps: [],
  },
});

it('a plan that was given is run as it is: nobody considers the message, and no model is asked', () => {
  const plan = planOf(['true']);
  const asked = fold(sent(plan));
  const given = { plan, inputs: { name: 'x' } };
  expect(next(asked)).toMatchObject({ kind: 'record', facts: [{ type: 'turn-begun', given }] });
  const begun = { type: 'turn-begun', turn: 1, text: '/run plan.yaml', given, answers: 2 };
  const open = fold(sent(plan), begun);
  expect(next(open)).toMatchObject({ kind: 'record', facts: [{ type: 'child-started', child: 'cp1' }] });
  expect(planEvents(open, 'cp1')).toMatchObject([
    {
      type: 'plan-created',
      plan,
      hash: hashPlan(plan),
      place,
      options: { mode: 'planner', inputs: { name: 'x' } },
    },
  ]);
  // Declined or not, that was the message.
  const child = { type: 'child-started', child: 'cp1', kind: 'run' };
  const ended = { type: 'child-ended', child: 'cp1', state: 'done', spending: null };
  for (const agreed of [true, false]) {
    const over = fold(
      sent(plan),
      begun,
      child,
      { type: 'child-begun', child: 'cp1' },
      ended,
      results(agreed),
    );
    expect(next(over)).toMatchObject({ facts: [{ type: 'turn-ended', outcome: 'planned', message: 'm' }] });
  }
});

it('what no plan file could hold is refused, by whichever door it came', () => {
  const restore: Action = {
    kind: 'restore',
    run: 'r',
    ranges: [{ before: 'a', after: 'b' }],
    overwrite: 'all',
  };
  const plan = planOf(['true']);
  const hostile = { ...plan, steps: [{ ...plan.steps[0]!, action: restore }] };
  expect(next(fold(sent(hostile)))).toMatchObject({ facts: [{ type: 'request-refused', answers: 2 }] });
});
