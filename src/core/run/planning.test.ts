import { describe, expect, it } from 'vitest';
import {
  type DraftState,
  defaultOptions,
  type FactBody,
  fold,
  hashPlan,
  MAX_DRAFTS,
  type Plan,
  type PlanningState,
  type RequestBody,
  type RunEvent,
  type RunOptions,
  type RunState,
} from '../contract/index.ts';
import { attend } from './attend.ts';
import { next as nextOf } from './next.ts';
import { hopsOf, isLastHope } from './planner-facts.ts';
import { nextPlanning } from './planning.ts';

const big = { provider: 'p', model: 'big' };
const small = { provider: 'p', model: 'small' };
const quick = { provider: 'p', model: 'quick' };
const plan: Plan = {
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: [{ id: 's1', title: 'Greet', action: { kind: 'run-command', command: 'echo hi' } }],
};

const begun = fold(
  [
    {
      v: 1,
      at: 0,
      type: 'goal-given',
      goal: 'greet',
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: defaultOptions,
      chain: { planner: [big, small], fast: [quick] },
    } satisfies RunEvent,
  ].map((event, index) => ({ seq: index + 1, event })),
);

const planningWith = (change: Partial<PlanningState>, state: Partial<RunState> = {}): RunState => ({
  ...begun,
  ...state,
  planning: { ...begun.planning!, restated: true, restatement: 'WHAT: greet', ...change },
});

const draft = (n: number, change: Partial<DraftState> = {}): DraftState => ({
  n,
  model: big,
  raw: 'raw',
  digest: `d${n}`,
  durationMs: 1,
  status: 'rejected',
  repairing: false,
  how: [],
  reasons: [{ code: 'x', message: 'wrong', hint: `mend ${n}` }],
  ...change,
});

const next = (state: RunState, options: Partial<RunOptions> = {}, now = 100) =>
  nextPlanning(state, { ...defaultOptions, ...options }, now);

const asked = (request: RequestBody): Pick<RunState, 'inbox'> => ({
  inbox: [{ seq: 9, request: { v: 1, at: 0, key: 'k', by: 'test', ...request } as never }],
});

const called = (call: string, n: number, model: object) => ({
  kind: 'perform',
  intent: [{ type: 'planner-called', call, n, model }],
  work: { kind: 'plan', call, n, model },
});
const recorded = (...facts: Partial<FactBody>[]) => ({ kind: 'record', facts });

describe('with a call in flight', () => {
  const inFlight = { call: 'plan' as const, n: 2, model: big, epoch: 1, startedAt: 0 };

  const attended = (state: RunState, options: Partial<RunOptions> = {}, now = 100) =>
    attend(
      { ...state, options: { ...defaultOptions, ...options } },
      { kind: 'plan', call: 'plan', n: 2, model: big, state },
      now,
    );

  it('one of an earlier driver was interrupted, and that is said before anybody is asked again', () => {
    const state = planningWith({ inFlight }, { epoch: 2 });
    expect(next(state)).toMatchObject(
      recorded({ type: 'planner-call-failed', call: 'plan', n: 2, model: big, why: 'interrupted' }),
    );
  });

  it('it is awaited, until the time is used up', () => {
    const state = planningWith({ inFlight }, { epoch: 1, activeSince: 50, activeMs: 0 });
    expect(attended(state)).toEqual({ kind: 'await', until: null });
    const limits = { ...defaultOptions.limits, wallMs: 60 };
    expect(attended(state, { limits })).toEqual({ kind: 'await', until: 110 });
    expect(attended(state, { limits }, 110)).toEqual({ kind: 'abort', why: 'limit' });
  });

  it('a cancel ends it; what else is asked waits', () => {
    const cancelled = planningWith({ inFlight }, { epoch: 1, ...asked({ type: 'cancel-requested' }) });
    expect(attended(cancelled)).toEqual({ kind: 'abort', why: 'cancelled' });
    const paused = planningWith({ inFlight }, { epoch: 1, ...asked({ type: 'pause-requested' }) });
    expect(attended(paused)).toMatchObject({ kind: 'await' });
  });
});

describe('before any work', () => {
  it('a run that has ended rests', () => {
    expect(next(planningWith({}, { ended: true }))).toEqual({ kind: 'rest', why: 'finished', wakeAt: null });
  });

  it('a request is answered first', () => {
    expect(next(planningWith({}, asked({ type: 'cancel-requested' })))).toMatchObject(
      recorded({ type: 'run-finished', outcome: 'cancelled' }),
    );
    expect(next(planningWith({}, asked({ type: 'skip-requested', stepId: 's1' })))).toMatchObject(
      recorded({ type: 'request-refused', answers: 9, code: 'planning' }),
    );
    expect(
      next(planningWith({ active: false }, { status: 'paused', ...asked({ type: 'plan-given', plan }) })),
    ).toMatchObject(recorded({ type: 'plan-created', plan, answers: 9 }));
  });

  it('paused, it rests until it is due', () => {
    expect(next(planningWith({}, { status: 'paused', pausedUntil: null }))).toMatchObject({
      kind: 'rest',
      why: 'paused',
      wakeAt: null,
    });
    expect(next(planningWith({}, { status: 'paused', pausedUntil: 101 }))).toMatchObject({
      kind: 'rest',
      wakeAt: 101,
    });
    expect(next(planningWith({}, { status: 'paused', pausedUntil: 100 }))).toMatchObject(
      recorded({ type: 'run-resumed', planning: true }),
    );
  });

  it('out of time, it pauses', () => {
    const limits = { ...defaultOptions.limits, wallMs: 10 };
    expect(next(planningWith({}, { activeSince: 0, activeMs: 0 }), { limits })).toMatchObject(
      recorded({ type: 'run-paused', reason: 'limit-time' }),
    );
  });
});

describe('with a question open', () => {
  const asking = { question: 'Which port?', drafts: [draft(1, { status: 'asking' })] };

  it('it is put, and waited for', () => {
    expect(next(planningWith(asking))).toEqual(
      recorded({ type: 'planning-question', n: 1, question: 'Which port?' }),
    );
    expect(next(planningWith(asking, { status: 'waiting' }))).toMatchObject({ kind: 'rest', why: 'waiting' });
  });

  it('with nobody there, silence is the answer, or the run pauses', () => {
    expect(next(planningWith(asking), { onAsk: 'deny' })).toEqual(
      recorded({ type: 'planning-answered', value: null }),
    );
    expect(next(planningWith(asking), { onAsk: 'fail' })).toMatchObject(
      recorded({ type: 'run-paused', reason: 'decision-needed' }),
    );
  });
});

describe('the work itself', () => {
  it('begins with the goal restated; without a fast model it goes on without, and says why', () => {
    expect(next(begun)).toMatchObject(called('restate', 1, quick));
    const failures = [{ call: 'restate' as const, model: quick, why: 'timeout', message: 'too slow' }];
    const position = { planner: 0, fast: 1 };
    expect(next(planningWith({ restated: false, position, failures }))).toMatchObject(
      recorded({ type: 'goal-restated', restatement: null, message: 'too slow' }),
    );
    const chain = { planner: [big], fast: [] };
    expect(next(planningWith({ restated: false, chain }))).toMatchObject(
      recorded({ type: 'goal-restated', message: 'no fast model is configured' }),
    );
  });

  it('then the model whose turn it is plans', () => {
    expect(next(planningWith({}))).toMatchObject(called('plan', 1, big));
    expect(next(planningWith({ position: { planner: 1, fast: 0 } }))).toMatchObject(called('plan', 1, small));
    const proposed = planningWith({ drafts: [draft(1, { status: 'proposed', reasons: [] })] });
    expect(next(proposed)).toMatchObject(called('plan', 2, big));
  });

  it('what cannot be read is written again once, by the model that wrote it, and then rejected', () => {
    const position = { planner: 1, fast: 0 };
    const unreadable = draft(1, { status: 'unreadable', model: big });
    expect(next(planningWith({ position, drafts: [unreadable] }))).toMatchObject(called('repair', 1, big));
    expect(next(planningWith({ drafts: [{ ...unreadable, repairing: true }] }))).toMatchObject(
      recorded({ type: 'draft-rejected', n: 1, model: big }),
    );
  });

  it('a rejection is reflected on once, by the fast model or by its own mends', () => {
    const drafts = [draft(1)];
    expect(next(planningWith({ drafts }))).toMatchObject(called('reflect', 1, quick));
    expect(next(planningWith({ drafts, reflectedOn: 1 }))).toMatchObject(called('plan', 2, big));
    const twice = draft(1, {
      reasons: [1, 1, 2].map((n) => ({ code: 'x', message: 'm', hint: `mend ${n}` })),
    });
    expect(next(planningWith({ drafts: [twice], position: { planner: 0, fast: 1 } }))).toMatchObject(
      recorded({ type: 'hints-given', n: 1, hints: ['mend 1', 'mend 2'], by: 'rules' }),
    );
  });
});

describe('giving up', () => {
  const paused = { type: 'run-paused', reason: 'planning-failed' } as const;

  it('where money or tokens are used up, whatever else there is to do', () => {
    const failures = [{ call: 'plan' as const, model: big, why: 'limit', message: 'no money' }];
    expect(next(planningWith({ failures, restated: false }))).toMatchObject(
      recorded({ type: 'planning-failed', cause: 'limit', message: 'no money' }, paused),
    );
  });

  it('at the end of the chain, with the last failure; without a chain, because there is none', () => {
    const position = { planner: 2, fast: 0 };
    const failures = [{ call: 'plan' as const, model: small, why: 'timeout', message: 'too slow' }];
    expect(next(planningWith({ position, failures }))).toMatchObject(
      recorded(
        {
          type: 'planning-failed',
          cause: 'chain-exhausted',
          message: 'none of 2 models made a plan that passes; the last call failed: too slow',
        },
        paused,
      ),
    );
    expect(next(planningWith({ chain: { planner: [], fast: [] } }))).toMatchObject(
      recorded({ type: 'planning-failed', cause: 'no-model' }, paused),
    );
  });

  it('after as many drafts as the run may ask for', () => {
    const failed = recorded({ type: 'planning-failed', cause: 'too-many-drafts' }, paused);
    expect(next(planningWith({ asked: MAX_DRAFTS }))).toMatchObject(failed);
    expect(next(planningWith({ asked: MAX_DRAFTS - 1 }))).toMatchObject({ kind: 'perform' });
    const limits = { ...defaultOptions.limits, drafts: 2 };
    expect(next(planningWith({ asked: 2 }), { limits })).toMatchObject(failed);
    expect(next(planningWith({ asked: 1 }), { limits })).toMatchObject({ kind: 'perform' });
  });

  it('keeps the draft with the fewest problems, the newest of equals, and none that cannot be read', () => {
    const reasons = (count: number, code = 'x') =>
      Array.from({ length: count }, () => ({ code, message: 'm', hint: 'h' }));
    const drafts = [
      draft(1, { reasons: reasons(3) }),
      draft(2, { reasons: reasons(2) }),
      draft(3, { reasons: reasons(2) }),
      draft(4, { reasons: reasons(1, 'not-json') }),
      draft(5, { status: 'asking', reasons: [] }),
    ];
    const position = { planner: 2, fast: 0 };
    expect(next(planningWith({ drafts, position }))).toMatchObject(
      recorded({ type: 'planning-failed', best: 3, problems: reasons(2) }, paused),
    );
    expect(next(planningWith({ drafts: [], position }))).toMatchObject(
      recorded({ type: 'planning-failed', best: null, problems: [] }, paused),
    );
  });

  it('a run that has a plan goes back to it instead of pausing', () => {
    const effect = next(planningWith({ position: { planner: 2, fast: 0 } }, { plan }));
    expect(effect).toMatchObject({ kind: 'record', facts: [{ type: 'planning-failed' }] });
    expect(effect.kind === 'record' && effect.facts).toHaveLength(1);
  });
});

describe('a plan that is there to be agreed on', () => {
  const place = { host: 'h', boot: 'b', workspace: '/w' };
  const given: RunEvent = {
    v: 1,
    at: 0,
    type: 'goal-given',
    goal: 'greet',
    place,
    options: defaultOptions,
    chain: { planner: [big], fast: [] },
  };
  const created: RunEvent = {
    v: 1,
    at: 0,
    type: 'plan-created',
    plan,
    hash: hashPlan(plan),
    place,
    options: defaultOptions,
  };
  const decided = (decision: 'all' | 'step-by-step'): RunEvent => ({
    v: 1,
    at: 0,
    type: 'plan-decided',
    key: 'k',
    by: { person: 'test', door: 'library' },
    revision: 0,
    decision,
  });
  const stateOf = (...events: RunEvent[]) => fold(events.map((event, index) => ({ seq: index + 1, event })));
  const answerTo = (state: RunState): FactBody[] => {
    const effect = nextOf(state, 0);
    if (effect.kind !== 'record') throw new Error(effect.kind);
    return effect.facts;
  };
  const facts = (bodies: FactBody[]) => bodies.map((body) => ({ v: 1, at: 0, ...body }) as RunEvent);

  it('is not declined for want of somebody where somebody stays with it', () => {
    const deny = { ...defaultOptions, onAsk: 'deny' as const };
    const alone = stateOf({ ...given, options: deny }, { ...created, options: deny });
    expect(nextOf(alone, 0)).toMatchObject(recorded({ type: 'plan-rejected' }, { type: 'run-finished' }));
    const attended = stateOf({ ...given, options: deny, attended: true }, { ...created, options: deny });
    expect(nextOf(attended, 0)).toMatchObject({ kind: 'rest', why: 'waiting' });
  });

  it('all of it is run after an earlier one was run step by step; a mode that was chosen stays', () => {
    const stepwise = [given, created, decided('step-by-step')];
    const agreed = [...stepwise, ...facts(answerTo(stateOf(...stepwise)))];
    expect(stateOf(...agreed).options?.mode).toBe('teacher');
    const feedback: RunEvent = {
      v: 1,
      at: 0,
      type: 'feedback-given',
      stepId: 's1',
      step: 'Greet',
      reason: 'no',
      answers: 3,
    };
    const failed: RunEvent = {
      v: 1,
      at: 0,
      type: 'planning-failed',
      cause: 'no-model',
      message: '',
      best: null,
      problems: [],
    };
    const again = [...agreed, feedback, failed, decided('all')];
    const all = [...again, ...facts(answerTo(stateOf(...again)))];
    expect(stateOf(...all).options?.mode).toBe(defaultOptions.mode);
    const taught = { ...defaultOptions, mode: 'teacher' as const };
    const chosen = [{ ...given, options: taught }, { ...created, options: taught }, decided('all')];
    expect(stateOf(...chosen, ...facts(answerTo(stateOf(...chosen)))).options?.mode).toBe('teacher');
  });
});

describe('every change of model is told, and which one comes next', () => {
  const work = (call: 'plan' | 'repair' | 'restate', state: RunState, model = big) => ({
    call,
    n: 1,
    model,
    state,
  });
  const failed = (call: 'plan' | 'repair' | 'restate', why: string, model = big) => ({
    type: 'planner-call-failed' as const,
    call,
    n: 1,
    model,
    why,
    message: 'said no',
    durationMs: 5,
  });
  const reasons = [{ code: 'x', message: 'wrong', hint: 'mend' }];
  const rejection = { type: 'draft-rejected' as const, n: 2, model: big, reasons };

  it('after a call that failed', () => {
    const state = planningWith({});
    expect(hopsOf(work('plan', state), [failed('plan', 'unauthorised')])).toEqual([
      { role: 'planner', from: big, to: small, reason: 'unauthorised', message: 'said no' },
    ]);
    expect(hopsOf(work('restate', state, quick), [failed('restate', 'timeout', quick)])).toMatchObject([
      { role: 'fast', from: quick, to: null, reason: 'timeout' },
    ]);
  });

  it('after rejections, once the model has had its chance', () => {
    const drafts = [draft(1), draft(2, { status: 'received' })];
    expect(hopsOf(work('plan', planningWith({ drafts })), [rejection])).toEqual([]);
    expect(hopsOf(work('plan', planningWith({ drafts, strikes: 2 })), [rejection])).toMatchObject([
      { role: 'planner', from: big, to: small, reason: 'rejected', message: 'wrong' },
    ]);
  });

  it('after a repair that failed, which rejects the draft', () => {
    const state = planningWith({ drafts: [draft(1, { status: 'unreadable' })], strikes: 2 });
    expect(hopsOf(work('repair', state), [failed('repair', 'error')])).toMatchObject([
      { from: big, to: small, reason: 'error' },
    ]);
  });

  it('and none where the same is asked again, or nobody is', () => {
    expect(hopsOf(work('plan', planningWith({})), [failed('plan', 'interrupted')])).toEqual([]);
    expect(hopsOf(work('plan', planningWith({})), [failed('plan', 'limit')])).toEqual([]);
  });

  it('a rate limit is worth waiting for only where no other model is left', () => {
    expect(isLastHope(work('plan', planningWith({})))).toBe(false);
    expect(isLastHope(work('plan', planningWith({ position: { planner: 1, fast: 0 } }), small))).toBe(true);
    expect(isLastHope(work('restate', planningWith({ position: { planner: 1, fast: 0 } }), quick))).toBe(
      false,
    );
  });
});
