import { describe, expect, it } from 'vitest';
import { isAnswered, pendingDecision, pendingRequests, refusalWords } from './requests.ts';
import { storyOf } from './story.ts';
import { command, dangerous, makePlan, tellStory } from './testing.ts';

const subject = {
  run: 'r',
  stepId: 's2',
  revision: 0,
  action: command('rm -rf out'),
  cwd: '/work',
  paths: ['/work/out'],
};
const asking = () =>
  tellStory(makePlan('Clean', [{ title: 'Look' }, { title: 'Clear' }]))
    .agree()
    .start(1)
    .finish(1, 10)
    .tell({ type: 'approval-needed', approvalId: 's2.1', verdict: dangerous, subject, fingerprint: 'f' });

describe('what was asked and is not acted on', () => {
  it('is told, and nobody is asked again', () => {
    const story = asking();
    expect([isAnswered(story.state), pendingDecision(story.state, 's2.1')]).toEqual([false, null]);
    story.ask({ type: 'approval-decided', approvalId: 's2.1', decision: 'approve' });
    expect([isAnswered(story.state), pendingDecision(story.state, 's2.1')]).toEqual([true, 'approve']);
    expect(pendingRequests(story.state).map(({ text }) => text)).toEqual(['Step 2 approved']);
  });

  it('a Deny stands whatever else was said', () => {
    const story = asking()
      .ask({ type: 'approval-decided', approvalId: 's2.1', decision: 'deny' })
      .ask({ type: 'approval-decided', approvalId: 's2.1', decision: 'approve' });
    expect(pendingDecision(story.state, 's2.1')).toBe('deny');
  });

  it('says when, while a step is under way', () => {
    const story = tellStory(makePlan('Wait', [{ title: 'Long' }]))
      .agree()
      .start(1)
      .ask({ type: 'pause-requested' });
    expect(pendingRequests(story.state)[0]?.text).toBe('Pause when this step has ended');
  });
});

it('a decision that was refused is told to whoever made it, and by the story with their name', () => {
  const story = asking();
  story.ask({ type: 'approval-decided', approvalId: 's2.1', decision: 'approve' });
  const approved = story.state.seq;
  story.ask({ type: 'approval-decided', approvalId: 's2.1', decision: 'deny' });
  const denied = story.state.seq;
  story.tell({ type: 'approval-granted', approvalId: 's2.1', answers: approved });
  const message = 'approval s2.1 is granted';
  story.tell({ type: 'request-refused', answers: denied, code: 'already-decided', message });
  expect(
    refusalWords({ type: 'approval-decided', approvalId: 's2.1', decision: 'deny' }, message, story.state),
  ).toBe('Refused (step 2 denied): approval s2.1 is granted.');
  const told = storyOf(story.events).slice(-2);
  expect(told.map(({ title }) => title)).toEqual(['Clear was approved', 'A denial was refused']);
  expect(told.every(({ detail }) => detail.startsWith('by '))).toBe(true);
});
