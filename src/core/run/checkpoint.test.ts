import { expect, test } from 'vitest';
import { defaultOptions, initialRunState, type RunState, type Step } from '../contract/index.ts';
import { checkpointFirst } from './checkpoint.ts';

const step: Step = { id: 's1', title: 'One', action: { kind: 'run-command', command: 'sleep 2' } };
const safe = { level: 'safe', reasons: [], reversible: true, needs: [], paths: [] } as const;
const group = { pgid: 7, leaderStart: '1', host: 'h', boot: 'b' };

function firstFor(state: RunState) {
  const stepState = { attempts: 0, loop: null };
  const judgements = { s1: { verdict: safe } } as unknown as RunState['judgements'];
  const due = { step, stepState } as unknown as Parameters<typeof checkpointFirst>[2];
  return checkpointFirst({ ...state, judgements }, { ...defaultOptions, checkpoints: 'auto' }, due);
}

test('a safe step is kept by a checkpoint only while something of an earlier step still runs', () => {
  expect(firstFor(initialRunState)).toBeNull();
  const groups = [group] as unknown as RunState['groups'];
  expect(firstFor({ ...initialRunState, groups })).toMatchObject({
    kind: 'perform',
    work: { kind: 'checkpoint', when: 'before', stepId: 's1' },
  });
});
