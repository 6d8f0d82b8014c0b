import { describe, expect, test } from 'vitest';
import { exchanged } from '../blocks.ts';
import type { ApprovalState, RunState } from '../index.ts';
import { helpWanted, openQuestion, type Question } from './question.ts';
import { dangerous, makePlan, tellStory } from './testing.ts';

const plan = makePlan('Publish', [
  { title: 'Build' },
  { title: 'Which', action: { kind: 'ask', question: 'Where to?', as: 'to' } },
  { title: 'Tell', action: { kind: 'manual', text: 'Tell them.' } },
]);
const begun = () => tellStory(plan).agree();
const subject = { run: 'r', stepId: 's1', revision: 0, action: plan.steps[0]!.action, cwd: '/w', paths: [] };
const needed = { type: 'approval-needed', verdict: dangerous, subject, fingerprint: 'f' } as const;
const lost = { stepId: 's1', attemptIndex: 0, detail: 'gone' };
const interrupted = () =>
  begun()
    .start(1)
    .tell({ type: 'step-interrupted', ...lost, finding: 'unknown' });

describe('what is asked', () => {
  test.each<[string, RunState, Partial<Question> | null]>([
    ['nothing of a run that goes on', begun().state, null],
    ['whether the plan is agreed on', tellStory(plan).state, { kind: 'agreement', stepId: null }],
    ['an approval', begun().tell({ ...needed, approvalId: 'a' }).state, { kind: 'approval', stepId: 's1' }],
    [
      'whether an interrupted step was done',
      interrupted().tell({ type: 'interrupt-asked', ...lost }).state,
      { kind: 'interrupt', stepId: 's1', attemptIndex: 0, detail: 'gone' },
    ],
    [
      'to run a step',
      begun().tell({ type: 'step-offered', stepId: 's1' }).state,
      { kind: 'offer', stepId: 's1', failed: false },
    ],
    [
      'to run a step that failed before',
      begun().start(1).fail(1, 5, {}).tell({ type: 'step-offered', stepId: 's1' }).state,
      { kind: 'offer', failed: true },
    ],
    [
      'for a value',
      begun().tell({ type: 'question-asked', stepId: 's2', kind: 'ask', text: 'Where to?' }).state,
      { kind: 'ask', stepId: 's2', text: 'Where to?' },
    ],
    [
      'to do something by hand',
      begun().tell({ type: 'question-asked', stepId: 's3', kind: 'manual', text: 'x' }).state,
      { kind: 'manual', stepId: 's3', text: 'Tell them.' },
    ],
  ])('%s', (_, state, expected) => {
    const question = openQuestion(state);
    if (expected === null) expect(question).toBeNull();
    else expect(question).toMatchObject(expected);
  });

  test('nothing any more once the run is over, or rests for another reason', () => {
    const asked = begun().tell({ ...needed, approvalId: 'a' });
    expect(openQuestion(asked.state)?.kind).toBe('approval');
    asked.tell({ type: 'run-finished', outcome: 'cancelled', reason: 'cancelled' });
    expect(asked.state.approvals[0]?.status).toBe('needed');
    expect(openQuestion(asked.state)).toBeNull();
    expect(openQuestion({ ...asked.state, ended: false, status: 'paused' })).toBeNull();
  });
});

test('should more than one be open, the plan comes first, then what nobody knows, the oldest approval, the first step', () => {
  const approvals = ['old', 'new'].map(
    (id, at): ApprovalState => ({
      ...{ id, stepId: `s${2 - at}`, fingerprint: 'f', verdict: dangerous, subject },
      ...{ status: 'needed', warning: null, reason: null, planRevision: 0 },
    }),
  );
  const { state } = begun();
  const offered = exchanged(state.steps, 0, { ...state.steps.at(0)!, offered: true });
  const steps = exchanged(offered, 1, { ...state.steps.at(1)!, asked: true });
  const all = {
    ...state,
    ...{ status: 'waiting' as const, steps, approvals, interrupted: { ...lost, asked: true } },
    planning: { question: 'Which port?' } as RunState['planning'],
  };
  const met: string[] = [];
  const take = (left: RunState) => {
    const question = openQuestion(left);
    met.push(
      question === null ? 'nothing' : question.kind === 'approval' ? question.approval.id : question.kind,
    );
    return left;
  };
  take(all);
  const planned = take({ ...all, planning: null });
  const known = take({ ...planned, interrupted: null });
  const first = take({ ...known, approvals: approvals.slice(1) });
  const approved = take({ ...first, approvals: [] });
  const ran = take({ ...approved, steps: exchanged(steps, 0, state.steps.at(0)!) });
  take({ ...ran, steps: state.steps });
  expect(met).toEqual(['planner', 'interrupt', 'old', 'new', 'offer', 'ask', 'nothing']);
});

test('a run that stands asks for help with the first step that failed, with a grant where one would do', () => {
  const failed = begun()
    .start(1)
    .fail(1, 5, {})
    .start(2)
    .fail(2, 5, { missing: { network: true } });
  expect(helpWanted(failed.state)).toBeNull();
  failed.tell({ type: 'run-paused', reason: 'step-failed' });
  expect(helpWanted(failed.state)).toMatchObject({ kind: 'stuck', stepId: 's1' });
  const { steps } = failed.state;
  const denied = {
    ...failed.state,
    steps: exchanged(steps, 0, { ...steps.at(0)!, status: 'done' as const }),
  };
  expect(helpWanted(denied)).toMatchObject({ kind: 'grant', stepId: 's2' });
  expect(helpWanted({ ...denied, ended: true })).toBeNull();
  const stopped = interrupted().tell({ type: 'run-paused', reason: 'interrupted-unknown' });
  expect(helpWanted(stopped.state)).toMatchObject({ kind: 'interrupt', stepId: 's1' });
});
