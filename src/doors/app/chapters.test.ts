import { describe, expect, it } from 'vitest';
import { advising, correction, insertOf, modifyTo, play } from '../../core/run/testing/play.ts';
import { chaptersOf } from './chapters.ts';

const failing = {
  commands: ['one', 'make', 'three'],
  attempt: (command: string) => (/^(one|three|a|b)$/.test(command) ? 0 : 2),
};

describe('the story of a run', () => {
  it('nothing failed: nothing to tell', async () => {
    expect(chaptersOf((await play({ commands: ['one'] })).events)).toEqual([]);
  });

  it('each failure, its correction, the diff, and how it came out', async () => {
    const { events } = await play({
      ...failing,
      attempt: (command, at) => (command === 'make' && at < 2 ? 2 : 0),
      consult: advising(insertOf('a', 'b'), correction({ action: 'retry' })),
    });
    const story = chaptersOf(events);
    expect(story).toMatchObject([
      {
        stepId: 's2',
        title: 'make',
        attemptIndex: 0,
        failure: { why: 'exit-code', exitCode: 2, said: 'make says 2' },
        correction: { id: 'c1', action: 'insert_steps', reasoning: 'because' },
        outcome: 'failed',
        unanswered: null,
        cost: { usd: 0, tokens: 0 },
      },
      { attemptIndex: 1, correction: { id: 'c2', action: 'retry' }, outcome: 'succeeded', diff: '' },
    ]);
    expect(story[0]!.diff).toMatch(/\+ .*a.*\n[\s\S]*\+ .*b/);
  });

  it('what was refused and why; that no brain knew; that a limit was reached', async () => {
    const refused = await play({ ...failing, consult: advising(modifyTo('rm -rf /'), null) });
    expect(chaptersOf(refused.events)).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/./), diff: '' },
      { outcome: 'unanswered', correction: null, unanswered: 'no brain is sure how to mend it' },
    ]);
    const stuck = await play({ ...failing, limits: { retriesPerStep: 0 }, consult: advising(null) });
    expect(chaptersOf(stuck.events)).toMatchObject([
      { outcome: 'stuck', attemptIndex: 0, reason: expect.stringContaining('0 times after the first') },
    ]);
  });

  it('a modification that was taken back shows what it had been', async () => {
    const { events } = await play({
      ...failing,
      consult: advising(modifyTo('risky'), null),
      level: (command) => (command === 'risky' ? 'dangerous' : 'safe'),
      options: { onAsk: 'deny' },
    });
    const [first] = chaptersOf(events);
    expect(first).toMatchObject({ outcome: 'refused', reason: 'nobody was there to approve it' });
    expect(first!.diff).toContain('risky');
  });

  it('what models cost is told where it was spent', async () => {
    const { events } = await play({
      ...failing,
      attempt: (command, at) => (command === 'make' && at === 0 ? 2 : 0),
      async consult(_, { ledger }) {
        const call = { callId: 'x', role: 'brain', purpose: 'mend', provider: 'p', model: 'm' } as const;
        await ledger.reserve({ ...call, reserved: { usd: 0.5, tokens: 100 } });
        const usage = { inputTokens: 10, outputTokens: 5 };
        await ledger.settle({ callId: 'x', outcome: 'ok', usage, usd: 0.01, durationMs: 3 });
        return { correction: correction({ action: 'retry' }) };
      },
    });
    expect(chaptersOf(events)).toMatchObject([{ cost: { usd: 0.01, tokens: 15 }, outcome: 'succeeded' }]);
  });

  it('a limit of models in the middle of a consultation is that consultation’s end', async () => {
    const { events } = await play({
      ...failing,
      consult: async () => ({ correction: null, limit: 'money', message: 'too dear' }),
    });
    expect(chaptersOf(events)).toMatchObject([{ outcome: 'stuck', reason: 'too dear' }]);
  });
});
