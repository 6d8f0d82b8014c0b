import { expect, test } from 'vitest';
import type { Correction } from '../../../core/contract/index.ts';
import { emptyContext, type Failure } from '../brain.ts';
import { applyRemembered, generalise } from './generalise.ts';
import { createRememberedBrain } from './remembered.ts';
import { signatureOf } from './signature.ts';
import { createInMemoryFixes } from './testing.ts';

const fail = (command: string, stderrTail: string): Failure => ({
  step: { title: 'x', action: { kind: 'run-command', command } },
  result: { exitCode: 1, stdoutTail: '', stderrTail, why: 'exit-code' },
  earlier: [],
  shell: 'bash',
  goal: '',
});

const first = fail(
  'cp build/a.js dist/one/a.js',
  "cp: cannot create regular file 'dist/one/a.js': No such file or directory\n",
);
const second = fail(
  'cp out/b.js /srv/www/b.js',
  "cp: cannot create regular file '/srv/www/b.js': No such file or directory\n",
);
const correction: Correction = {
  action: 'modify',
  reasoning: 'install makes the folders.',
  modifiedCommand: 'install -D build/a.js dist/one/a.js',
  confidence: 0.8,
  source: { brain: 'model', name: 'm' },
};

test('paths, numbers, hashes and times do not make a failure another one', () => {
  expect(signatureOf(first)?.key).toBe(signatureOf(second)?.key);
  const log = (text: string) => signatureOf(fail('app serve', text))?.key;
  expect(log('12:01:44 worker 3 at 9f8e7d6c5b lost /var/a.log')).toBe(
    log('23:59:01 worker 17 at 0a1b2c3d4e lost /tmp/b.log'),
  );
  expect(log('port in use')).not.toBe(log('disk is full'));
  expect(
    signatureOf(fail('mv a/x b/y', "cp: cannot create regular file 'b/y': No such file or directory"))?.key,
  ).not.toBe(signatureOf(first)?.key);
});

test('a fix is told in the words of the next failure', () => {
  const general = generalise(first, correction)!;
  expect(JSON.stringify(general)).not.toContain('dist/one');
  const applied = applyRemembered(general, second, 0.9);
  expect(applied?.modifiedCommand).toBe('install -D out/b.js /srv/www/b.js');
  expect(applied?.source.brain).toBe('remembered');
});

test('what only this occasion knows is not remembered', () => {
  expect(generalise(first, { ...correction, action: 'skip' })).toBeNull();
  expect(generalise(first, { ...correction, modifiedCommand: 'git checkout 9f8e7d6c5b' })).toBeNull();
  expect(
    generalise(first, {
      ...correction,
      action: 'insert_steps',
      newSteps: [{ step: 's', action: 'RUN_COMMAND kill 4242' }],
    }),
  ).toBeNull();
});

test('the folder of a word is told as such', () => {
  const made = {
    ...correction,
    action: 'insert_steps' as const,
    reasoning: 'The folder `dist/one` does not exist.',
    newSteps: [{ step: 'Make the folder dist/one', action: 'RUN_COMMAND mkdir -p dist/one' }],
  };
  const { modifiedCommand: _, ...steps } = made;
  const applied = applyRemembered(generalise(first, steps)!, second, 0.9);
  expect(applied?.newSteps?.[0]?.action).toBe('RUN_COMMAND mkdir -p /srv/www');
  expect(applied?.reasoning).toContain('`/srv/www`');
});

test('a script is known by its path, and is the one that is mended', () => {
  const denied = (script: string) => fail(`${script} a`, `bash: line 1: ${script}: Permission denied\n`);
  const { modifiedCommand: _, ...rest } = correction;
  const general = generalise(denied('./tools/render.sh'), {
    ...rest,
    action: 'insert_steps',
    newSteps: [{ step: 'Let it run', action: 'RUN_COMMAND chmod +x ./tools/render.sh' }],
  })!;
  const applied = applyRemembered(general, denied('./bin/other.sh'), 0.9);
  expect(applied?.newSteps?.[0]?.action).toBe('RUN_COMMAND chmod +x ./bin/other.sh');
});

test('the file that was meant once is not the one that is meant always', () => {
  const missing = fail('cat confg/app.ini', 'cat: confg/app.ini: No such file or directory\n');
  expect(generalise(missing, { ...correction, modifiedCommand: 'cat config/app.ini' })).toBeNull();
  const port = fail('serve --port 8080', 'address already in use :8080\n');
  expect(generalise(port, { ...correction, modifiedCommand: 'serve --port 8081' })).toBeNull();
  const slip = fail('grpe -c x a.txt', 'bash: line 1: grpe: command not found\n');
  expect(generalise(slip, { ...correction, modifiedCommand: 'grep -c x a.txt' })).not.toBeNull();
});

test('a remembered fix that hides a failure or is blocked is not applied', () => {
  const general = generalise(first, correction)!;
  const with_ = (modifiedCommand: string) =>
    applyRemembered({ ...general, correction: { ...general.correction, modifiedCommand } }, second, 0.9);
  expect(with_('cp {1} {2} || true')).toBeNull();
  expect(with_('rm -rf / # {1}')).toBeNull();
  expect(with_('cp {1} {2} {7}')).toBeNull();
});

test('a fix is applied where the same is checked afterwards, and never to what is something else', () => {
  const known = fail('./a/run.sh x1', './a/run.sh: bad option');
  const general = { key: signatureOf(known)!.key, correction: { action: 'modify', reasoning: 'r' } } as const;
  const apply = (modifiedCommand: string, proof?: string) =>
    applyRemembered(
      { ...general, correction: { ...general.correction, modifiedCommand }, ...(proof && { proof }) },
      known,
      0.9,
    );
  expect(apply('{1} -v {2}')).not.toBeNull();
  expect(apply('{1} -v {2}', 'file-exists')).toBeNull();
  expect(apply('touch {2}')).toBeNull();
});

test('braces and quotes survive generalising', () => {
  const failure = fail("awk '{print $1}' 'my file.txt'", 'awk: cannot open my file.txt\n');
  const general = generalise(failure, { ...correction, modifiedCommand: "gawk '{print $1}' 'my file.txt'" })!;
  const other = fail("awk '{print $1}' 'your file.txt'", 'awk: cannot open your file.txt\n');
  expect(applyRemembered(general, other, 1)?.modifiedCommand).toBe("gawk '{print $1}' 'your file.txt'");
});

test('two failures in a row forget a fix; a success between them does not', async () => {
  const memory = createInMemoryFixes();
  const { id } = await memory.remember(generalise(first, correction)!);
  await memory.failed(id);
  await memory.succeeded(id);
  await memory.failed(id);
  expect(memory.list()).toHaveLength(1);
  await memory.failed(id);
  expect(memory.list()).toHaveLength(0);
  expect(await memory.find(signatureOf(first)!.key)).toBeNull();
});

test('the brain answers from the first memory that knows, and says nothing twice', async () => {
  const memory = createInMemoryFixes();
  await memory.remember(generalise(first, correction)!);
  const brain = createRememberedBrain([createInMemoryFixes(), memory]);
  const answer = await brain.analyzeFailure(second, emptyContext);
  expect(answer?.modifiedCommand).toBe('install -D out/b.js /srv/www/b.js');
  const earlier = [{ action: 'RUN_COMMAND x', stderrTail: '', correction: answer! }];
  expect(await brain.analyzeFailure({ ...second, earlier }, emptyContext)).toBeNull();
});

test('a memory that cannot answer is no failure of the brain', async () => {
  const broken = { ...createInMemoryFixes(), find: () => Promise.reject(new Error('disk')) };
  expect(await createRememberedBrain([broken]).analyzeFailure(first, emptyContext)).toBeNull();
});

test('the folder of a path is told as the folder of that path', () => {
  const steps = [{ step: 'Make the folder dist/one', action: 'RUN_COMMAND mkdir -p dist/one' }];
  const made: Correction = { ...correction, action: 'insert_steps', newSteps: steps };
  const { modifiedCommand: _, ...inserted } = made;
  const general = generalise(first, inserted)!;
  expect(applyRemembered(general, second, 0.9)?.newSteps?.[0]?.action).toBe('RUN_COMMAND mkdir -p /srv/www');
});

test('a file that was near by on this occasion is not remembered for the next', () => {
  const misspelt = fail('cat raedme.md', 'cat: raedme.md: No such file or directory');
  expect(generalise(misspelt, { ...correction, modifiedCommand: 'cat README.md' })).toBeNull();
  expect(generalise(misspelt, { ...correction, modifiedCommand: 'cat --from=README.md' })).toBeNull();
});
