import { describe, expect, test } from 'vitest';
import { type Played, play } from './testing/play.ts';

const startedAt = ({ events }: Played, stepId: string) => {
  const found = events.find(({ event }) => event.type === 'step-started' && event.stepId === stepId);
  if (found?.event.type !== 'step-started') throw new Error(`${stepId} was not started`);
  return found.event;
};

describe('the time that a step may take', () => {
  test('is what the run gives every step', async () => {
    const played = await play({ commands: ['one'], options: { stepTimeoutMs: 7000 } });
    const { at, deadline } = startedAt(played, 's1');
    expect(deadline).toBe(at + 7000);
  });

  test('has no end where nobody gave it one', async () => {
    expect(startedAt(await play({ commands: ['one'] }), 's1').deadline).toBeNull();
  });
});

test('what was judged is judged again after a person has approved it: the world went on while they looked', async () => {
  const played = await play({
    commands: ['one'],
    options: { mode: 'planner' },
    level: () => 'dangerous',
    people({ approvals }) {
      const open = approvals.find(({ status }) => status === 'needed');
      return open ? { type: 'approval-decided', approvalId: open.id, decision: 'approve' } : null;
    },
  });
  expect(played.commandsRun).toEqual(['one']);
  const judgements = ['step-judged', 'approval-needed', 'approval-granted', 'step-started'];
  expect(played.types.filter((type) => judgements.includes(type))).toEqual([
    'step-judged',
    'approval-needed',
    'approval-granted',
    'step-judged',
    'step-started',
  ]);
});

test('in teacher mode a step is looked at before it is offered, and again before it runs', async () => {
  const offered: (readonly string[])[] = [];
  const { types, commandsRun } = await play({
    commands: ['./build.sh'],
    options: { mode: 'teacher' },
    warns: () => './build.sh is not there.',
    people({ steps, judgements }) {
      const [step] = steps;
      if (!step?.offered) return null;
      offered.push(judgements[step.id]?.warnings?.map(({ message }) => message) ?? []);
      return { type: 'step-decided', stepId: step.id, decision: 'run' };
    },
  });
  expect(offered).toEqual([['./build.sh is not there.']]);
  expect(commandsRun).toEqual(['./build.sh']);
  const wanted = ['step-judged', 'step-offered', 'step-accepted', 'step-started'];
  expect(types.filter((type) => wanted.includes(type))).toEqual([
    'step-judged',
    'step-offered',
    'step-accepted',
    'step-judged',
    'step-started',
  ]);
});

test('a step waits for one that stands behind it: it is neither left out nor run before it', async () => {
  const later = { id: 's1', title: 'one', action: { kind: 'run-command', command: 'one' }, after: ['s2'] };
  let edited = false;
  const played = await play({
    commands: ['one', 'two'],
    options: { mode: 'teacher' },
    people(state) {
      const offered = state.steps.find((step) => step.offered);
      if (offered === undefined) return null;
      if (edited) return { type: 'step-decided', stepId: offered.id, decision: 'run' };
      edited = true;
      const patch = [{ op: 'replace', stepId: 's1', step: later }] as never;
      return { type: 'edit-requested', baseRevision: 0, patch, reason: 'two first' };
    },
  });
  const refused = played.of('request-refused').length > 0;
  expect(played.commandsRun).toEqual(refused ? ['one', 'two'] : ['two', 'one']);
  expect(played.of('step-skipped')).toEqual([]);
});
