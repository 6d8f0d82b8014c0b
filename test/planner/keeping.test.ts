import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { type Office, openOffice, planning, restating } from './models.ts';

let bench: Bench;
let office: Office | null = null;
afterEach(async () => {
  bench.clean();
  await office?.close();
  office = null;
});

const good = planning(['RUN_COMMAND echo hello > out.txt']);
const bad = planning(['SAY hello']);
const hints = { text: '- Start each action with RUN_COMMAND.' };

async function open(answers: Parameters<typeof openOffice>[0]) {
  bench = openBench({ here: true });
  office = await openOffice(answers);
  return (...args: string[]) => bench.run(args, office!.env);
}

describe('a plan is made and nothing is run', () => {
  it('on stdout it is a plan file and nothing else', async () => {
    const pw = await open({ big: good, small: good, quick: restating });
    const { code, stdout, stderr } = await pw('plan', 'greet the world');
    expect(code, stderr).toBe(0);
    expect(existsSync(bench.path('out.txt'))).toBe(false);
    writeFileSync(bench.path('kept.yaml'), stdout);
    const checked = await pw('plan', 'validate', 'kept.yaml');
    expect(checked.code, checked.stderr).toBe(0);
    expect(stdout).toContain('RUN_COMMAND echo hello > out.txt');
    expect(stderr).toMatch(/Confidence \d+ %[\s\S]*Would touch out\.txt/);
  });

  it('in a file it can be run, and no run is left waiting', async () => {
    const pw = await open({ big: good, small: good, quick: restating });
    const made = await pw('plan', 'greet the world', '-o', 'kept.yaml');
    expect(made).toMatchObject({ code: 0, stdout: '' });
    expect(made.stderr).toContain('planwright run kept.yaml');
    expect(JSON.parse((await pw('waiting', '--json')).stdout)).toEqual([]);
    const asked = office!.asked.length;
    const ran = await pw('run', 'kept.yaml', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(bench.path('out.txt'), 'utf8')).toBe('hello\n');
    expect(office!.asked).toHaveLength(asked);
  });

  it('a file that is there is left alone, and no model is asked for it', async () => {
    const pw = await open({ big: good, small: good, quick: restating });
    bench.write('kept.yaml', 'mine');
    const { code, stderr } = await pw('plan', 'greet the world', '-o', 'kept.yaml');
    expect(code).toBe(2);
    expect(stderr).toContain('kept.yaml is there already');
    expect(readFileSync(bench.path('kept.yaml'), 'utf8')).toBe('mine');
    expect(office!.asked).toEqual([]);
  });

  it('without a model it is a template', async () => {
    bench = openBench({ here: true });
    const { code, stderr } = await bench.run(['plan', 'find large files', '-o', 'kept.yaml']);
    expect(code, stderr).toBe(0);
    const checked = await bench.run(['plan', 'validate', 'kept.yaml']);
    expect(checked.code, checked.stderr).toBe(0);
    expect(readFileSync(bench.path('kept.yaml'), 'utf8')).toContain('inputs:');
  });

  it('--verbose shows what changed between drafts; without it nothing does', async () => {
    const answers = { big: [bad, good], small: good, quick: [restating, hints] };
    const other = planning(['FOR_EACH nowhere DO RUN_COMMAND echo {item}']);
    const pw = await open({ ...answers, big: [other, planning(['RUN_COMMAND echo hi > out.txt'])] });
    const { stderr } = await pw('plan', 'greet the world', '--verbose');
    expect(stderr).toMatch(/draft 2 against the one before:[\s\S]*nowhere[\s\S]*echo hi/);
    await office!.close();
    bench.clean();
    const quiet = await open({ ...answers, big: [other, planning(['RUN_COMMAND echo hi > out.txt'])] });
    expect((await quiet('plan', 'greet the world')).stderr).not.toContain('against the one before');
  });
});

it('every call is in the debug log, whole and without secrets, and doctor says where', async () => {
  const telling = planning(['RUN_COMMAND true'], { thinking_summary: 'It is tok-4711-abcdef-9.' });
  await open({ big: [bad, telling], small: good, quick: [restating, hints] });
  const env = { ...office!.env, MY_API_TOKEN: 'tok-4711-abcdef-9' };
  const { code, stderr } = await bench.run(['plan', 'greet tok-4711-abcdef-9'], env);
  expect(code, stderr).toBe(0);
  const finding = JSON.parse((await bench.run(['doctor', '--json'], env)).stdout).find(
    ({ name }: { name: string }) => name === 'debug log',
  );
  const path = join(bench.home, 'data', 'debug', 'models.log');
  expect(finding.detail).toContain(path);
  const text = readFileSync(path, 'utf8');
  const calls = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(calls.map(({ model }) => model)).toEqual(office!.asked.map(({ model }) => `compatible/${model}`));
  const [row] = JSON.parse((await bench.run(['runs', '--json'], env)).stdout);
  expect(calls.map(({ run }) => run)).toEqual(calls.map(() => row.id));
  expect(calls[1].answer).toContain('SAY hello');
  expect(calls[3].prompt).toContain('RETRY_HINTS');
  expect(text).not.toContain('tok-4711');
  expect(stderr).not.toContain('tok-4711');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe('when no plan could be made', () => {
  it('the draft is printed with its problems, and given back when it is mended', async () => {
    const pw = await open({ big: bad, small: bad, quick: [restating, hints] });
    const { code, stderr } = await pw('run', 'greet the world', '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/planwright plan draft \S+ -o FILE/);
    const drawn = await pw('plan', 'draft', '-o', 'draft.yaml');
    expect(drawn.code, drawn.stderr).toBe(0);
    expect(drawn.stderr).toMatch(/planwright plan give \S+ FILE/);
    const text = readFileSync(bench.path('draft.yaml'), 'utf8');
    expect(text).toMatch(/^# .*did not pass/);
    expect(text).toContain('is not an action');
    const [{ id }] = JSON.parse((await pw('runs', '--json')).stdout);
    const refused = await pw('plan', 'give', id, 'draft.yaml');
    expect(refused.code).toBe(2);
    writeFileSync(
      bench.path('draft.yaml'),
      text.replace(/^( *-? *action:).*SAY.*$/m, '$1 RUN_COMMAND echo mended > out.txt'),
    );
    const given = await pw('plan', 'give', id, 'draft.yaml');
    expect(given.code, given.stderr).toBe(0);
    expect(existsSync(bench.path('out.txt'))).toBe(false);
    const resumed = await pw('resume', id, '--yes');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(readFileSync(bench.path('out.txt'), 'utf8')).toBe('mended\n');
  });

  it('limits.drafts says after how many', async () => {
    const many = ['A a', 'B b', 'C c', 'D d'].map((action) => planning([action]));
    const pw = await open({ big: many, small: many, quick: [restating, hints] });
    const { code, stderr } = await bench.run(['plan', 'greet the world'], {
      ...office!.env,
      PLANWRIGHT_LIMITS_DRAFTS: '2',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('no draft of 2 was good enough');
    expect(office!.asked.filter(({ model }) => model !== 'quick')).toHaveLength(2);
    expect((await pw('config', 'get', 'limits.drafts')).stdout.trim()).toBe('12');
  });
});
