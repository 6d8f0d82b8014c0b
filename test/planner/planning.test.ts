import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { type Office, openOffice, planning, restating } from './models.ts';

let bench: Bench;
let office: Office;
afterEach(async () => {
  bench.clean();
  await office.close();
});

const good = planning(['RUN_COMMAND echo hello > out.txt']);
const bad = planning(['SAY hello']);
const hints = { text: '- Start each action with RUN_COMMAND.' };

async function run(answers: Parameters<typeof openOffice>[0], ...flags: string[]) {
  bench = openBench({ here: true });
  office = await openOffice(answers);
  const ended = await bench.run(
    ['run', 'greet the world', '--yes', '--on-ask', 'fail', ...flags],
    office.env,
  );
  const { stdout } = await bench.run(['show', '--events'], office.env);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string } & Record<string, never>);
  return { ...ended, events, types: events.map(({ type }) => type) };
}

describe('a goal in words, against local models', () => {
  it('is restated, planned, agreed on and run', async () => {
    const { code, stderr, types } = await run({ big: good, small: good, quick: restating });
    expect(code, stderr).toBe(0);
    expect(readFileSync(bench.path('out.txt'), 'utf8')).toBe('hello\n');
    expect(stderr).toContain('WHAT: greet the world');
    expect(stderr).toMatch(/Confidence \d+ %/);
    expect(types.slice(0, 4)).toEqual([
      'goal-given',
      'driver-claimed',
      'planner-called',
      'model-call-started',
    ]);
    expect(office.asked.map(({ model }) => model)).toEqual(['quick', 'big']);
    expect(office.asked[1]!.prompt).toContain('WHAT: greet the world');
  });

  it('a rejected draft is reflected on, and its hints are in the next prompt only', async () => {
    const quick = [restating, hints];
    const { code, stderr } = await run({ big: [bad, good], small: good, quick });
    expect(code, stderr).toBe(0);
    const prompts = office.asked.filter(({ model }) => model === 'big').map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).not.toContain('RETRY_HINTS');
    expect(prompts[1]).toContain('Start each action with RUN_COMMAND.');
    expect(prompts[1]).toContain('is not an action');
    expect(prompts[1]).toContain('SAY hello');
    expect(stderr).toContain('Start each action with RUN_COMMAND.');
  });

  it('the same rejected words twice, and the next model is asked, with the memory', async () => {
    const { code, stderr, events } = await run({ big: bad, small: good, quick: [restating, hints] });
    expect(code, stderr).toBe(0);
    expect(events.filter(({ type }) => type === 'model-fell-back')).toMatchObject([
      { role: 'planner', from: { model: 'big' }, to: { model: 'small' }, reason: 'rejected' },
    ]);
    expect(office.asked.map(({ model }) => model)).toEqual([
      'quick',
      'big',
      'quick',
      'big',
      'quick',
      'small',
    ]);
    expect(office.asked.at(-1)!.prompt).toContain('SAY hello');
  });

  it('three different rejections, and the next model is asked', async () => {
    const many = ['A a', 'B b', 'C c', 'D d'].map((action) => planning([action]));
    await run({ big: many, small: good, quick: [restating, hints] });
    expect(office.asked.filter(({ model }) => model === 'big')).toHaveLength(3);
    expect(office.asked.at(-1)!.model).toBe('small');
  });

  it('a model that is down is passed over; without a fast one, planning goes on and says so', async () => {
    const down = { status: 401, message: 'no' };
    const { code, stderr, types, events } = await run({ big: down, small: good, quick: down });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('goal not restated');
    expect(types.filter((type) => type === 'planner-call-failed')).toHaveLength(2);
    const failed = events.filter(({ type }) => type === 'planner-call-failed');
    expect(failed.every(({ durationMs }) => Number(durationMs) > 0)).toBe(true);
    expect(events.filter(({ type }) => type === 'model-fell-back')).toMatchObject([
      { role: 'fast', from: { model: 'quick' }, to: null, reason: 'unauthorised' },
      { role: 'planner', from: { model: 'big' }, to: { model: 'small' }, reason: 'unauthorised' },
    ]);
  });

  it('what is no JSON is written again once, by the same model', async () => {
    const { code, types } = await run({
      big: [{ text: '<json>{"goal": "gre' }, good],
      small: good,
      quick: restating,
    });
    expect(code).toBe(0);
    expect(types).toContain('draft-unreadable');
    expect(types).toContain('draft-repaired');
    expect(office.asked.map(({ model }) => model)).toEqual(['quick', 'big', 'big']);
  });

  it('when all fail, the best draft is kept with its problems', async () => {
    const { code, events, types } = await run({ big: bad, small: bad, quick: [restating, hints] });
    expect(code).toBe(1);
    expect(events.find(({ type }) => type === 'planning-failed')).toMatchObject({
      cause: 'chain-exhausted',
      best: expect.any(Number),
      problems: [{ code: 'invalid-action', step: 1 }],
    });
    expect(types.at(-1)).toBe('run-paused');
    expect(existsSync(bench.path('out.txt'))).toBe(false);
  });

  it('with --yes a plan with a dangerous step waits for a person', async () => {
    const { code } = await run({ big: planning(['RUN_COMMAND rm -r data']), small: good, quick: restating });
    expect(code).toBe(3);
    const [row] = JSON.parse((await bench.run(['runs', '--json'])).stdout);
    expect(row).toMatchObject({ state: 'agreeing', goal: 'greet the world', stepsTotal: 1 });
  });

  it('with --yes and --on-ask deny a plan is run, or declined where it has a dangerous step', async () => {
    const ran = await run({ big: good, small: good, quick: restating }, '--on-ask', 'deny');
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(bench.path('out.txt'), 'utf8')).toBe('hello\n');
    const plan = ['plan', 'greet the world', '--on-ask', 'deny'];
    expect((await bench.run(plan, office.env)).stdout).toContain('echo hello');
    const dangerous = planning(['RUN_COMMAND rm -r data']);
    bench.clean();
    await office.close();
    const { types } = await run({ big: dangerous, small: good, quick: restating }, '--on-ask', 'deny');
    expect(types).toContain('plan-rejected');
  });

  it('a question is not answered where nobody is', async () => {
    const asks = planning([], { ready: false, reflection: 'Whom?' });
    const { code, stderr } = await run({ big: [asks, good], small: good, quick: restating });
    expect(code).toBe(3);
    expect(stderr).toContain('Whom?');
    const answered = await bench.run(['answer', '--value', 'the world'], office.env);
    expect(answered.stderr).toContain('draft 2');
    expect(office.asked.at(-1)!.prompt).toContain('The person answered: the world');
  });
});
