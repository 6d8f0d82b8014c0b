import { expect, test } from 'vitest';
import { parseAction } from '../../../core/plan/index.ts';
import { emptyContext, type Failure } from '../brain.ts';
import { nullProbe, type Probe } from '../probe/probe.ts';
import { createRulesBrain } from './brain.ts';

const failing = (line: string): Failure => {
  const parsed = parseAction(line);
  if (!parsed.ok) throw new Error(line);
  const result = { exitCode: null, stdoutTail: '', stderrTail: '', why: 'not-started', message: '' } as const;
  const step = { title: 'Write', action: parsed.action };
  return { step, result, earlier: [], cwd: '/w', shell: 'bash', goal: 'g' };
};
const ask = (line: string, there: readonly string[] = []) => {
  const probe: Probe = { ...nullProbe, kind: async (path) => (there.includes(path) ? 'dir' : 'absent') };
  return createRulesBrain({ probeAt: () => probe }).analyzeFailure(failing(line), emptyContext);
};

test('the folder of a file action that is not there is made first', async () => {
  expect(await ask('WRITE_FILE no/dir/x.txt "some text"')).toMatchObject({
    action: 'insert_steps',
    newSteps: [{ action: 'CREATE_DIR no/dir' }],
    source: { brain: 'rule', name: 'missing-folder' },
  });
  expect(await ask('COPY_PATH a.txt out/a.txt')).toMatchObject({ newSteps: [{ action: 'CREATE_DIR out' }] });
});

test('nothing is made where the folder is there, or was not what failed', async () => {
  expect(await ask('WRITE_FILE dir/x.txt "some text"', ['dir'])).toBeNull();
  expect(await ask('WRITE_FILE x.txt "some text"')).toBeNull();
  expect(await ask('DELETE_PATH no/dir')).toBeNull();
});
