import { expect, it } from 'vitest';
import type { Action } from './action.ts';
import type { ShownStep } from './approval.ts';
import type { Step } from './plan.ts';
import { proposedPlan, stepKind } from './proposed.ts';
import { initialRunState, type RunState } from './run/state.ts';
import { proposedFacts, stepTimeWords } from './told/proposed.ts';
import type { RiskLevel } from './verdict.ts';

const actions: Action[] = [
  { kind: 'read-file', path: 'a.ts', as: 'text' },
  { kind: 'edit-file', path: 'a.ts', old: 'x', new: 'y' },
  { kind: 'run-command', command: 'npm run lint' },
  { kind: 'run-command', command: 'npm test' },
  { kind: 'manual', text: 'Tell the others' },
];
const steps: Step[] = actions.map((action, at) => ({ id: `s${at}`, title: `Step ${at}`, action }));

const shownAs = (at: number, level: RiskLevel, ...paths: string[]): ShownStep => ({
  subject: { run: 'r', stepId: `s${at}`, revision: 0, action: actions[at]!, cwd: '/w', paths },
  verdict: { level, reasons: [], reversible: true, needs: [], paths },
});

const state = (took?: Record<string, number>): RunState =>
  ({
    ...initialRunState,
    workspace: '/w',
    plan: { goal: 'Tidy up', shell: 'bash', steps, revision: 0 },
    planning: { proposal: took === undefined ? null : { took } },
  }) as unknown as RunState;

it('a plan is presented with intent, risk, time, what it changes, and what each step is for', () => {
  const proposed = proposedPlan(state({ s2: 4000, s3: 12_000 }), [
    shownAs(0, 'safe', '/w/a.ts', '/w/read-only.ts'),
    shownAs(1, 'caution', '/w/a.ts', '/dev/null'),
    shownAs(3, 'dangerous', '/etc/x', '/w/a.ts'),
  ])!;
  expect(proposed).toMatchObject({ intent: 'Tidy up', level: 'dangerous', files: ['a.ts', '/etc/x'] });
  expect(proposed.steps.map(({ kind }) => kind)).toEqual(['ANALYZE', 'REFACTOR', 'VALIDATE', 'TEST', 'ASK']);
  expect(proposed.steps.map(stepTimeWords)).toEqual([
    'under 1 s',
    'under 1 s',
    '4.0 s',
    '12.0 s',
    'waits for you',
  ]);
  expect(proposedFacts(proposed)).toEqual([
    ['Risk level', 'dangerous'],
    ['Estimated duration', 'about 16 s, and 1 step that waits for you'],
    ['Files affected', '2'],
  ]);
});

it('without a plan there is nothing to present, and without history times are guesses and say so', () => {
  expect(proposedPlan({ ...state(), plan: null }, [])).toBeNull();
  expect(proposedPlan(state(), [])).toMatchObject({
    // Nobody has judged it yet.
    level: 'caution',
    time: { ms: 40_200, isKnown: false },
  });
});

it('what a loop repeats is what it is for', () => {
  const action: Action = { kind: 'repeat', times: 3, do: { kind: 'run-command', command: 'pytest -q' } };
  expect(stepKind({ action })).toBe('TEST');
});
