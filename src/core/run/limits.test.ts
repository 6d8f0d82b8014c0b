import { describe, expect, it } from 'vitest';
import type { Limits, RunState } from '../contract/index.ts';
import { failuresOf, stuckAt, warnings } from './limits.ts';
import type { Mind } from './ports.ts';
import { brokenLimits } from './testing/invariants.ts';
import { advising, correction, insertOf, modifyTo, play, type Scene } from './testing/play.ts';

const many = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));

/** Calls a model again and again, each time with this as its worst case. */
const spender =
  (reserved: { usd: number | null; tokens: number }, limit: 'money' | 'tokens'): Mind['consult'] =>
  async ({ attemptIndex }, { ledger }) => {
    for (let at = 0; at < 3; at += 1) {
      const callId = `${attemptIndex}.${at}`;
      const call = { callId, role: 'brain', purpose: 'mend', provider: 'p', model: 'm', reserved } as const;
      const answer = await ledger.reserve(call);
      if (!answer.ok) return { correction: null, limit, message: answer.message };
    }
    return { correction: modifyTo(`fail ${attemptIndex}`) };
  };

const always = (code: number) => () => code;
const failing = { commands: ['fail', 'after'], attempt: always(1) };

/** For each check of a limit: a run that comes to it, and what `next` would be blind to without it. */
const cases: Record<string, { scene: Scene; blind: (state: RunState) => RunState; stop: string }> = {
  'retries-per-step': {
    scene: { ...failing, consult: advising(...many(12, (n) => modifyTo(`fail ${n}`))) },
    blind: raised({ retriesPerStep: 1000 }),
    stop: 'agent-stuck',
  },
  corrections: {
    scene: {
      ...failing,
      limits: { retriesPerStep: 50 },
      consult: advising(...many(30, (n) => modifyTo(`fail ${n}`))),
    },
    blind: raised({ corrections: 1000 }),
    stop: 'agent-stuck',
  },
  'refused-corrections': {
    scene: {
      ...failing,
      consult: advising(...many(12, (n) => correction({ action: 'retry', reasoning: `${n}` }))),
    },
    blind: (state) => ({ ...state, steps: state.steps.map((step) => ({ ...step, refusals: 0 })) }),
    stop: 'agent-stuck',
  },
  'added-steps': {
    scene: {
      commands: ['fail'],
      attempt: (command) => (command === 'fail' ? 1 : 0),
      limits: { retriesPerStep: 50 },
      consult: advising(...many(30, (n) => insertOf(`a ${n}`, `b ${n}`, `c ${n}`))),
    },
    blind: raised({ addedSteps: 1000 }),
    stop: 'agent-stuck',
  },
  'added-steps-per-correction': {
    scene: {
      commands: ['fail'],
      attempt: (command, at) => (command === 'fail' && at === 0 ? 1 : 0),
      consult: advising(insertOf('a', 'b', 'c', 'd', 'e')),
    },
    blind: raised({ addedStepsPerCorrection: 1000 }),
    stop: 'agent-stuck',
  },
  'wall-time': {
    scene: {
      ...failing,
      attemptMs: 400,
      limits: { wallMs: 1000 },
      consult: advising(...many(12, (n) => modifyTo(`fail ${n}`))),
    },
    blind: raised({ wallMs: null }),
    stop: 'limit-time',
  },
  money: {
    scene: { ...failing, consult: spender({ usd: 0.3, tokens: 10 }, 'money') },
    blind: raised({ money: 1000 }),
    stop: 'agent-stuck',
  },
  tokens: {
    scene: { ...failing, consult: spender({ usd: null, tokens: 100_000 }, 'tokens') },
    blind: raised({ tokens: 1e9 }),
    stop: 'agent-stuck',
  },
  'no-progress': {
    scene: { ...failing, consult: advising(correction({ action: 'retry' })) },
    blind: (state) => ({
      ...state,
      corrections: state.corrections.map((known) => ({ ...known, failure: known.id })),
    }),
    stop: 'agent-stuck',
  },
  purpose: {
    scene: {
      ...failing,
      consult: advising({
        correction: modifyTo('fail --no-verify'),
        objection: { code: 'purpose', message: 'It adds --no-verify.' },
      }),
    },
    blind: (state) => ({
      ...state,
      corrections: state.corrections.map((known) => ({ ...known, objection: null })),
    }),
    stop: 'agent-stuck',
  },
  'budget-warning': {
    scene: {
      ...failing,
      limits: { retriesPerStep: 50 },
      consult: advising(...many(30, (n) => modifyTo(`fail ${n}`))),
    },
    // As if each consultation were the first: nothing is near its end, until the true count is looked at.
    blind: (state) => ({
      ...state,
      corrections: state.corrections.filter(({ status }) => status === 'proposed'),
    }),
    stop: 'agent-stuck',
  },
};

function raised(limits: Partial<Limits>) {
  return (state: RunState): RunState =>
    state.options === null
      ? state
      : { ...state, options: { ...state.options, limits: { ...state.options.limits, ...limits } } };
}

describe.each(Object.entries(cases))('the check of %s', (name, { scene, blind, stop }) => {
  it('holds: the run stops there, and says why', async () => {
    const { events, state } = await play(scene);
    expect(brokenLimits(events)).toEqual([]);
    expect(state.stopReason).toBe(stop);
  });

  it('is needed: without it the promise is broken, and the checker sees it', async () => {
    const { events } = await play({ ...scene, blind });
    expect(brokenLimits(events)).toContain(name);
  });
});

describe('what counts', () => {
  it('failures of repairs count for the step that they repair, however deep', async () => {
    const { state, of } = await play({
      commands: ['fail'],
      attempt: always(1),
      consult: advising(insertOf('first'), insertOf('before first'), modifyTo('before first time'), null),
    });
    expect(failuresOf(state, 's1')).toBe(4);
    expect(of('agent-stuck')).toMatchObject([{ limit: 'retries-per-step', used: 3, max: 3 }]);
    for (const { id } of state.steps) expect(failuresOf(state, id)).toBe(4);
  });

  it('the words of agent-stuck say whose attempts were counted', async () => {
    const own = await play({
      ...failing,
      consult: advising(...many(9, (n) => modifyTo(`fail ${n}`))),
    });
    expect(own.of('agent-stuck')[0]!.message).toBe(
      'it was attempted 3 times after the first time, and still fails',
    );
    const repairs = await play({
      commands: ['fail'],
      attempt: always(1),
      consult: advising(insertOf('first'), insertOf('before first'), modifyTo('before first -v'), null),
    });
    expect(repairs.of('agent-stuck')[0]!.message).toBe('4 attempts at it and at what was to mend it failed');
  });

  it('what is refused for one step takes nothing from the next', async () => {
    const deaf = correction({ action: 'retry' });
    const { of } = await play({
      commands: ['fail', 'second'],
      attempt: always(1),
      options: { onFailure: 'continue' },
      limits: { corrections: 3 },
      consult: async ({ step }) => ({ correction: step.id === 's1' ? deaf : modifyTo('other') }),
    });
    expect(
      of('correction-refused')
        .slice(0, 3)
        .map(({ correctionId }) => correctionId),
    ).toEqual(['c2', 'c3', 'c4']);
    expect(of('agent-stuck')[0]).toMatchObject({
      stepId: 's1',
      limit: 'refused-corrections',
      used: 3,
      max: 3,
    });
    expect(of('plan-revised').length).toBeGreaterThan(0);
  });

  it('a warning comes with each question once no more than 30 % are left, and not before', async () => {
    const { of } = await play({
      ...failing,
      limits: { retriesPerStep: 50 },
      consult: advising(...many(30, (n) => modifyTo(`fail ${n}`))),
    });
    expect(of('budget-warning').map(({ used, max }) => [used, max])).toEqual([
      [7, 10],
      [8, 10],
      [9, 10],
    ]);
    expect(of('budget-warning').at(-1)!.message).toBe('1 of 10 corrections is left');
    expect(of('agent-stuck')).toMatchObject([{ limit: 'corrections', used: 10, max: 10 }]);
  });

  it('a hint sets the failures back, and allows for one correction more', async () => {
    const hinted = { given: false };
    const { state, of } = await play({
      ...failing,
      limits: { corrections: 1 },
      consult: advising(modifyTo('fail one'), modifyTo('fail two')),
      people(now) {
        if (hinted.given || now.stopReason !== 'agent-stuck') return null;
        hinted.given = true;
        return { type: 'hint-requested', stepId: 's1', text: 'try two' };
      },
    });
    expect(of('correction-attempt')).toHaveLength(2);
    expect(of('agent-stuck').map(({ used, max }) => [used, max])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(failuresOf(state, 's1')).toBe(1);
    const { options } = state;
    expect(
      stuckAt(state, { ...options!, limits: { ...options!.limits, corrections: 9 } }, state.steps.at(0)!),
    ).toBe(null);
    expect(warnings(state, { ...options!, limits: { ...options!.limits, corrections: 9 } })).toEqual([]);
  });

  it('money runs out before the call that would pass the limit is sent', async () => {
    const { of, state } = await play(cases['money']!.scene);
    expect(of('model-call-started')).toHaveLength(6);
    expect(of('agent-stuck')).toMatchObject([{ limit: 'money', max: 2 }]);
    expect(state.status).toBe('paused');
  });
});
