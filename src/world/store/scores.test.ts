import { expect, test } from 'vitest';
import type { FactBody, RunEvent } from '../../core/contract/index.ts';
import type { Store } from './store.ts';
import { finished, openTestStore, planCreated } from './test-support.ts';

const big = { provider: 'p', model: 'big' };
const small = { provider: 'p', model: 'small' };
const at = (fact: FactBody): RunEvent => ({ v: 1, at: 1, ...fact }) as RunEvent;

let appends = 0;
async function begin(store: Store, run = 'run') {
  await store.append(run, { id: 'begin', events: [planCreated()], expectedSeq: 0 });
}
const tell = (store: Store, run: string, ...facts: FactBody[]) =>
  store.append(run, { id: `append-${appends++}`, events: facts.map(at) });

const rejected = (model = big): FactBody => ({
  type: 'draft-rejected',
  n: 1,
  model,
  reasons: [{ code: 'x', message: 'm', hint: 'h' }],
});
const proposed = (model = big): FactBody => ({
  type: 'plan-proposed',
  n: 1,
  model,
  proposal: {
    summary: '',
    reflection: '',
    confidence: { score: 1, doubts: [] },
    estimateMs: null,
    warnings: [],
  },
});
const attempt = (correctionId: string, brain: 'model' | 'rule' = 'model'): FactBody => ({
  type: 'correction-attempt',
  stepId: 's',
  attemptIndex: 0,
  correctionId,
  correction: { action: 'retry', reasoning: '', confidence: 1, source: { brain, name: 'p/small' } },
  failure: 'f',
});
const started = (callId: string, role: 'brain' | 'fast' = 'brain'): FactBody => ({
  type: 'model-call-started',
  callId,
  role,
  purpose: '',
  ...small,
  reserved: { usd: null, tokens: 1 },
});
const ended = (
  callId: string,
  outcome: Extract<FactBody, { type: 'model-call-finished' }>['outcome'],
  more: { replayed?: true } = {},
): FactBody => ({
  type: 'model-call-finished',
  callId,
  outcome,
  usage: null,
  usd: null,
  durationMs: 1,
  ...more,
});
const succeeded = (correctionId: string): FactBody => ({
  type: 'correction-success',
  correctionId,
  stepId: 's',
});
const failed = (correctionId: string): FactBody => ({
  type: 'correction-failed',
  correctionId,
  stepId: 's',
  message: '',
  sameFailure: true,
});

test('drafts that were proposed and rejected count for the model that wrote them', async () => {
  const store = await openTestStore();
  await begin(store);
  await tell(store, 'run', rejected(), rejected(small), proposed(small), proposed());
  await tell(store, 'run', proposed());
  expect(await store.modelScores('planner')).toEqual([
    { model: 'p/big', role: 'planner', asked: 3, accepted: 2 },
    { model: 'p/small', role: 'planner', asked: 2, accepted: 1 },
  ]);
  expect(await store.modelScores('brain')).toEqual([]);
});

test('corrections count once they are judged, each once, and in their own run', async () => {
  const store = await openTestStore();
  await begin(store);
  await begin(store, 'other');
  await tell(store, 'run', attempt('c1'), attempt('c2'), attempt('c3'), attempt('c4'));
  expect(await store.modelScores()).toEqual([]);
  await tell(store, 'other', succeeded('c4'));
  await tell(store, 'run', succeeded('c1'), failed('c2'));
  await tell(store, 'run', { type: 'correction-refused', correctionId: 'c3', code: 'blocked', message: '' });
  await tell(store, 'run', succeeded('c1'));
  expect(await store.modelScores()).toEqual([{ model: 'p/small', role: 'brain', asked: 3, accepted: 1 }]);
});

test('what a rule proposed is no matter of models', async () => {
  const store = await openTestStore();
  await begin(store);
  await tell(store, 'run', attempt('c1', 'rule'), succeeded('c1'));
  expect(await store.modelScores()).toEqual([]);
});

test('unusable answers count against a model; errors, replays and interruptions do not', async () => {
  const store = await openTestStore();
  await begin(store);
  const outcomes = ['invalid', 'refused', 'error', 'timeout', 'rate-limited', 'aborted', 'ok'] as const;
  for (const outcome of outcomes) await tell(store, 'run', started(outcome), ended(outcome, outcome));
  await tell(store, 'run', started('again'), ended('again', 'invalid', { replayed: true }));
  await tell(store, 'run', started('open'));
  expect(await store.modelScores()).toEqual([{ model: 'p/small', role: 'brain', asked: 2, accepted: 0 }]);
});

test('of the fast model an answer is enough', async () => {
  const store = await openTestStore();
  await begin(store);
  await tell(
    store,
    'run',
    started('a', 'fast'),
    ended('a', 'ok'),
    started('b', 'fast'),
    ended('b', 'refused'),
  );
  expect(await store.modelScores('fast')).toEqual([
    { model: 'p/small', role: 'fast', asked: 2, accepted: 1 },
  ]);
});

test('an append that is repeated or refused counts nothing more', async () => {
  const store = await openTestStore();
  await begin(store);
  const append = { id: 'once', events: [at(proposed())], expectedSeq: 1 };
  await store.append('run', append);
  await store.append('run', append);
  await store.append('run', { ...append, id: 'late' });
  expect(await store.modelScores()).toMatchObject([{ asked: 1, accepted: 1 }]);
});

test('scores outlive the runs they were made of', async () => {
  const store = await openTestStore();
  await begin(store);
  await tell(store, 'run', proposed(), attempt('c1'));
  await store.append('run', { id: 'end', events: [finished(2)] });
  expect((await store.gc({ now: 1e13, keepDays: 0, keepRuns: 0 })).runs).toEqual(['run']);
  expect(await store.modelScores()).toMatchObject([{ model: 'p/big', asked: 1 }]);
});
