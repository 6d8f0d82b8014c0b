import { fold } from '@contract';
import { storyOf } from '@told';
import { expect, test } from 'vitest';
import { decisionOf } from './decision.ts';
import { command, Told } from './testing.ts';

test('what went well is told together, what was mended one by one, each once', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }, { title: 'c' }], { mode: 'agentic' });
  told.done('s1').done('s2').failed('s3').mend('s3', 0, ['make it']).done('c1.0').done('s3', 1);
  told.tell({ type: 'correction-success', correctionId: 'c1', stepId: 's3' });
  const moments = storyOf(told.tape.events);
  expect(moments.find(({ title }) => title === 'c failed')?.detail).toBe('exit 17, 1.2 s');
  expect(moments.map(({ title }) => title)).toEqual([
    'Run created: Publish the site',
    'Plan agreed',
    '2 steps went well',
    'c failed',
    'c has a correction',
    '2 steps went well',
    'c is mended',
  ]);
});

test('the run at any moment is the fold of the journal up to it', () => {
  const told = new Told(Array.from({ length: 150 }, (_, n) => ({ title: `t${n}` })));
  for (let n = 1; n <= 150; n += 1) told.done(`s${n}`);
  const { tape } = told;
  expect(tape.last).toBeGreaterThan(300);
  for (const seq of [0, 1, 199, 200, 201, tape.last, 57])
    expect(tape.at(seq)).toEqual(fold(tape.events.slice(0, seq)));
});

test('a decision names its consequence', () => {
  const told = new Told([{ title: 'Clear', action: command('find build -type f -delete') }]);
  const paths = Array.from({ length: 214 }, (_, n) => `/work/site/build/${n}`);
  const verdict = {
    level: 'dangerous' as const,
    reasons: [{ rule: 'delete', level: 'dangerous' as const, sentence: 'Deletes files.' }],
    reversible: false,
    needs: [],
    paths,
  };
  const subject = {
    run: 'r',
    stepId: 's1',
    revision: 0,
    action: command('find build -type f -delete'),
    cwd: '/work/site',
    paths,
  };
  told.tell({ type: 'approval-needed', approvalId: 'a', verdict, subject, fingerprint: 'f' });
  const [approval] = told.state.approvals;
  const decision = decisionOf(told.state, told.state.plan!.steps[0]!, approval!);
  expect(decision).toMatchObject({
    approveLabel: 'Delete 214 paths',
    undo: 'Checkpoints are off: it cannot be undone.',
    folder: '/work/site',
  });
  expect(decision.paths).toEqual({ count: 214, outside: [], inside: [{ folder: 'build/', count: 214 }] });
  expect(decision.lasting).toBe(true);
  expect(decision.unknownPaths).toBeNull();
  const less = { ...approval!, subject: { ...subject, unknownPaths: 'What `sh` touches is not known.' } };
  expect(decisionOf(told.state, told.state.plan!.steps[0]!, less).unknownPaths).toBe(
    'Not all that it touches can be shown. What `sh` touches is not known.',
  );
});
