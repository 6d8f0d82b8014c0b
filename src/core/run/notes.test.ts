import { expect, test } from 'vitest';
import type { FactBody, RunEvent } from '../contract/index.ts';
import { noteOf } from './notes.ts';

const big = { provider: 'p', model: 'big' };
const small = { provider: 'p', model: 'small' };
const noted = (fact: FactBody) => noteOf({ v: 1, at: 1, ...fact } as RunEvent);

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

test('drafts that were proposed and rejected count at once, for the model that wrote them', () => {
  expect(noted(rejected())).toEqual({ kind: 'scored', model: 'p/big', role: 'planner', accepted: false });
  expect(noted(proposed(small))).toEqual({
    kind: 'scored',
    model: 'p/small',
    role: 'planner',
    accepted: true,
  });
});

test('corrections of models are judged by what comes of them; those of rules are no matter of models', () => {
  expect(noted(attempt('c1'))).toEqual({ kind: 'tried', id: 'c1', model: 'p/small', role: 'brain' });
  expect(noted(attempt('c1', 'rule'))).toBeNull();
  expect(noted(succeeded('c1'))).toEqual({ kind: 'judged', id: 'c1', accepted: true });
  expect(noted(failed('c2'))).toEqual({ kind: 'judged', id: 'c2', accepted: false });
  expect(noted({ type: 'correction-refused', correctionId: 'c3', code: 'blocked', message: '' })).toEqual({
    kind: 'judged',
    id: 'c3',
    accepted: false,
  });
});

test('unusable answers count against a model; errors, replays and interruptions do not', () => {
  expect(noted(started('a', 'fast'))).toEqual({ kind: 'tried', id: 'a', model: 'p/small', role: 'fast' });
  for (const outcome of ['invalid', 'refused'] as const)
    expect(noted(ended('a', outcome))).toEqual({ kind: 'judged', id: 'a', accepted: false });
  for (const outcome of ['error', 'timeout', 'rate-limited', 'aborted'] as const)
    expect(noted(ended('a', outcome))).toEqual({ kind: 'dropped', id: 'a' });
  expect(noted(ended('a', 'invalid', { replayed: true }))).toEqual({ kind: 'dropped', id: 'a' });
});

test('of the fast model an answer is enough; planner and brain are judged later', () => {
  expect(noted(ended('a', 'ok'))).toEqual({
    kind: 'judged',
    id: 'a',
    accepted: true,
    unless: ['planner', 'brain'],
  });
});
