import { expect, test } from 'vitest';
import { diagnoseBatch } from './diagnose.ts';
import { nullProbe } from './probe/probe.ts';
import { createRulesBrain } from './rules/brain.ts';

const diagnose = async (lines: string[], brain = createRulesBrain()) => {
  const answers = [];
  for await (const answer of diagnoseBatch(lines, brain)) answers.push(answer);
  return answers;
};

test('each line is answered in order, and a bad one says why', async () => {
  const failed = {
    command: 'mkdir a/b',
    output: "mkdir: cannot create directory 'a/b': No such file or directory",
    exitCode: 1,
  };
  const answers = await diagnose([
    JSON.stringify(failed),
    '',
    '{',
    '{"command":1}',
    JSON.stringify({ command: '', output: 'x' }),
  ]);
  expect(answers[0]).toMatchObject({ ok: true, correction: { modifiedCommand: 'mkdir -p a/b' } });
  expect(answers.slice(1)).toMatchObject([{ ok: false }, { ok: false }, { ok: true, correction: null }]);
});

test('a command that did not fail is not mended', async () => {
  const line = {
    command: 'mkdir a/b',
    output: "mkdir: cannot create directory 'a/b': No such file or directory",
    exitCode: 0,
  };
  expect(await diagnose([JSON.stringify(line)])).toEqual([{ ok: true, correction: null }]);
});

test('nothing is probed for a line without a folder', async () => {
  const asked: string[] = [];
  const brain = createRulesBrain({
    probeAt: (cwd) => {
      asked.push(cwd);
      return nullProbe;
    },
  });
  const line = { command: './x', output: './x: Permission denied', exitCode: 126 };
  await diagnose([JSON.stringify(line), JSON.stringify({ ...line, cwd: '/srv' })], brain);
  expect(asked).toEqual(['/srv']);
});
