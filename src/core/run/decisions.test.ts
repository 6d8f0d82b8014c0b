import { describe, expect, test } from 'vitest';
import {
  fold,
  project,
  type RequestBody,
  type RunEvent,
  type RunRow,
  type RunState,
} from '../contract/index.ts';
import { openQuestion } from '../contract/told/index.ts';
import { next } from './next.ts';
import { play, type Scene } from './testing/play.ts';

const isDangerous = (command: string) => (command === 'rm' ? 'dangerous' : 'safe');
const open = ({ approvals }: RunState) => approvals.find(({ status }) => status === 'needed');
const decided = (approvalId: string, decision: 'approve' | 'deny' | 'abort'): RequestBody => ({
  type: 'approval-decided',
  approvalId,
  decision,
});
const twoDoors = (later: 'deny' | 'abort') =>
  play({
    commands: ['rm', 'after'],
    options: { mode: 'planner' },
    level: isDangerous,
    people(state) {
      const asked = open(state);
      return asked ? [decided(asked.id, 'approve'), decided(asked.id, later)] : null;
    },
  });

describe('a later denial of what has not begun', () => {
  test('overrules the approval: nothing of it runs', async () => {
    const { commandsRun, state, of } = await twoDoors('deny');
    expect(commandsRun).toEqual([]);
    expect(of('approval-granted')).toHaveLength(1);
    expect(of('approval-denied')).toMatchObject([{ overruled: true }]);
    expect(of('request-refused')).toEqual([]);
    expect(state).toMatchObject({ stopReason: 'approval-denied', approvals: [{ status: 'denied' }] });
  });

  test('ends the run where it was to', async () => {
    const { commandsRun, state } = await twoDoors('abort');
    expect([commandsRun, state.stopReason]).toEqual([[], 'approval-denied']);
    expect(state.ended).toBe(true);
  });

  test('asks again of a step whose turn has not come, and stops nothing else', async () => {
    const { commandsRun, of, state } = await play({
      commands: ['ask', 'rm'],
      options: { mode: 'planner' },
      level: (command) => (command === 'ask' ? 'dangerous' : isDangerous(command)),
      people(seen) {
        const asked = open(seen);
        if (asked?.stepId !== 's1') return null;
        // Both were agreed to beforehand, as it were; the second is taken back while the first is asked about.
        return [decided(asked.id, 'approve'), decided('s2.0', 'deny')];
      },
      agrees: ['rm'],
    });
    expect(commandsRun).toEqual(['ask']);
    expect(of('approval-denied')).toMatchObject([{ approvalId: 's2.0', overruled: true }]);
    expect([state.status, open(state)?.stepId]).toEqual(['waiting', 's2']);
  });
});

test('what has begun cannot be denied any more, and whoever denies it is told', async () => {
  let late = false;
  const { commandsRun, of } = await play({
    commands: ['rm', 'other'],
    options: { mode: 'planner' },
    level: (command) => (command === 'other' ? 'dangerous' : isDangerous(command)),
    people(state) {
      const asked = open(state);
      if (asked?.stepId === 's1') return decided(asked.id, 'approve');
      if (late) return null;
      late = true;
      return decided('s1.1', 'deny');
    },
  });
  expect(commandsRun).toEqual(['rm']);
  expect(of('request-refused')).toMatchObject([{ code: 'already-begun' }]);
});

describe('what a run stopped for because nobody was there', () => {
  const parked = (decision: 'approve' | 'deny' | 'abort') => {
    let came = false;
    return play({
      commands: ['rm', 'after'],
      options: { mode: 'planner', onAsk: 'fail' },
      level: isDangerous,
      people(state) {
        const asked = openQuestion(state);
        if (came || asked?.kind !== 'approval') return null;
        came = true;
        expect(state).toMatchObject({ status: 'paused', stopReason: 'approval-needed' });
        return decided(asked.approval.id, decision);
      },
    });
  };

  test('a person approves later, and it goes on', async () => {
    const { commandsRun, state } = await parked('approve');
    expect([commandsRun, state.status]).toEqual([['rm', 'after'], 'done']);
  });

  test('or denies', async () => {
    const { commandsRun, state } = await parked('deny');
    expect([commandsRun, state.stopReason]).toEqual([[], 'approval-denied']);
    expect((await parked('abort')).state.ended).toBe(true);
  });

  test('is no longer what is asked once the plan is another', async () => {
    let asked = 0;
    const { commandsRun, of, state } = await play({
      commands: ['rm'],
      options: { mode: 'planner', onAsk: 'fail' },
      level: () => 'dangerous',
      people(seen) {
        asked += 1;
        if (asked === 1) {
          const step = { ...seen.plan!.steps[0]!, title: 'other' };
          const patch = [{ op: 'replace', stepId: 's1', step }] as const;
          return { type: 'edit-requested', baseRevision: 0, patch: [...patch], reason: 'because' };
        }
        return asked === 2 ? decided('s1.1', 'approve') : null;
      },
    });
    expect(commandsRun).toEqual([]);
    expect(of('request-refused')).toMatchObject([
      { code: 'already-decided', message: 'it is not asked any more' },
    ]);
    expect(openQuestion(state)).toBeNull();
  });
});

test('a pause that comes when the last step is over lets the run end: it is not at rest with nothing left', async () => {
  const { events } = await play({ commands: ['one'], options: { mode: 'planner' } });
  const end = events.findIndex(({ event }) => event.type === 'step-completed');
  const by = { person: 'p', door: 'terminal' };
  const pause = { v: 1, at: 9, key: 'k', by, type: 'pause-requested' } as unknown as RunEvent;
  const at = (upTo: number) => fold([...events.slice(0, upTo), { stream: 'r', seq: upTo + 1, event: pause }]);
  expect(next(at(end + 1), 9)).toMatchObject({ facts: [{ type: 'request-refused', code: 'nothing-left' }] });
  const judged = events.findIndex(({ event }) => event.type === 'step-judged');
  expect(next(at(judged), 9)).toMatchObject({ facts: [{ type: 'run-paused' }] });
});

describe('a question that a run stopped for because nobody was there', () => {
  const parked = (people: NonNullable<Scene['people']>) =>
    play({ commands: ['ASK', 'b'], options: { mode: 'planner', onAsk: 'fail' }, people });

  test('is open, is listed, and goes on with its answer', async () => {
    const before = await parked(() => null);
    expect(before.types.slice(-2)).toEqual(['question-asked', 'run-paused']);
    expect(before.state).toMatchObject({ status: 'paused', stopReason: 'decision-needed' });
    expect(openQuestion(before.state)).toMatchObject({ kind: 'ask', stepId: 's1' });
    expect(before.events.reduce(project, null as RunRow | null)).toMatchObject({ waitingFor: 'answer' });
    const after = await parked((state) =>
      state.ended ? null : { type: 'answer-given', stepId: 's1', value: 'x' },
    );
    expect(after.state).toMatchObject({ status: 'done', values: { answer: 'x' } });
    expect(after.events.reduce(project, null as RunRow | null)).toMatchObject({ waitingFor: null });
  });

  test('is asked anew when the run is resumed, and gone when it is skipped', async () => {
    const resumed = await parked(({ status }) =>
      status === 'paused' ? { type: 'resume-requested', onAsk: 'wait' } : null,
    );
    expect(resumed.of('question-asked')).toHaveLength(2);
    expect(resumed.state.status).toBe('waiting');
    const skipped = await parked(({ status }) =>
      status === 'paused' ? { type: 'skip-requested', stepId: 's1' } : null,
    );
    expect(skipped.state.status).toBe('done');
  });
});

test('a listing names the step that was denied, or is blocked, and not the one before it', async () => {
  const rowOf = async (level: 'dangerous' | 'blocked') => {
    const { events } = await play({
      commands: ['first', 'rm'],
      options: { mode: 'planner' },
      level: (command) => (command === 'rm' ? level : 'safe'),
      people: (state) => (open(state) ? decided(open(state)!.id, 'deny') : null),
    });
    return events.reduce<RunRow | null>((row, event) => project(row, event), null);
  };
  expect(await rowOf('dangerous')).toMatchObject({ stopReason: 'approval-denied', currentStep: 'rm' });
  expect(await rowOf('blocked')).toMatchObject({ currentStep: 'rm' });
});
