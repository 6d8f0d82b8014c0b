import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRow } from '../../src/core/contract/index.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually, processesOf } from '../support/processes.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

const rows = async (): Promise<RunRow[]> => JSON.parse((await bench.run(['runs', '--json'])).stdout);

describe('run', () => {
  it('runs a plan to the end, output on stdout, progress on stderr', async () => {
    bench.write('plan.yaml', planOf('echo one', 'echo two > made.txt'));
    const ended = await bench.run(['run', 'plan.yaml']);
    expect(ended).toMatchObject({ code: 0, stdout: 'one\n' });
    expect(ended.stderr).toContain('step 2/2 done');
    expect(readFileSync(bench.path('made.txt'), 'utf8')).toBe('two\n');
    expect(await rows()).toMatchObject([
      { state: 'done', goal: 'a plan', stopReason: 'completed', stepsDone: 2 },
    ]);
  });

  it('stops at the first failure with code 1, and resume goes on there', async () => {
    bench.write('plan.yaml', planOf('echo one >> log', 'test -f ready', 'echo three >> log'));
    expect((await bench.run(['run', 'plan.yaml'])).code).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'failed', stopReason: 'step-failed', endedAt: null }]);
    expect((await bench.run(['resume'])).code).toBe(1);
    bench.write('ready', '');
    expect((await bench.run(['resume'])).code).toBe(0);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\nthree\n');
    expect(await rows()).toMatchObject([{ state: 'done', stopReason: 'completed' }]);
    expect((await bench.run(['resume'])).code).toBe(2);
  });

  it('carries directory and exported variables from step to step, and over a resume', async () => {
    mkdirSync(bench.path('sub'));
    bench.write(
      'plan.yaml',
      planOf('cd sub && export COLOUR="deep blue"', 'test -f go', 'echo "$COLOUR in ${PWD##*/}"'),
    );
    expect((await bench.run(['run', 'plan.yaml'])).code).toBe(1);
    bench.write('sub/go', '');
    expect(await bench.run(['resume'])).toMatchObject({ code: 0, stdout: 'deep blue in sub\n' });
  });

  it('--json prints every event as a line', async () => {
    bench.write('plan.yaml', planOf('true'));
    const { stdout, code } = await bench.run(['run', 'plan.yaml', '--json']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ type: 'plan-created', v: 1 });
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'done' });
    const whole = await bench.run(['run', 'plan.yaml', '--json', '--expand', 'plan']);
    const { run, plan } = JSON.parse(whole.stdout.split('\n')[0]!);
    expect(plan).toMatchObject({ id: run, steps: [{ id: 's1', index: 0, status: 'pending' }] });
    expect((await bench.run(['run', 'plan.yaml', '--json', '--expand', 'all'])).code).toBe(2);
  });

  it('--dry-run, --from and --only', async () => {
    bench.write('plan.yaml', planOf('echo 1 >> log', 'echo 2 >> log', 'echo 3 >> log'));
    expect((await bench.run(['run', 'plan.yaml', '--dry-run'])).code).toBe(0);
    expect(existsSync(bench.path('log'))).toBe(false);
    await bench.run(['run', 'plan.yaml', '--from', '2']);
    await bench.run(['run', 'plan.yaml', '--only', 'Step 1']);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('2\n3\n1\n');
  });

  it('a step whose dependency failed is skipped, list order alone skips nothing', async () => {
    bench.write(
      'plan.yaml',
      'goal: g\nplan:\n- {step: a, action: RUN_COMMAND false}\n- {step: b, action: RUN_COMMAND echo b >> log, after: [1]}\n- {step: c, action: RUN_COMMAND echo c >> log}\n',
    );
    const ended = await bench.run(['run', 'plan.yaml'], { PLANWRIGHT_ON_FAILURE: 'continue' });
    expect(ended.code).toBe(1);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('c\n');
  });

  it('what a step promised is checked', async () => {
    bench.write(
      'plan.yaml',
      'goal: g\nplan:\n- {step: a, action: RUN_COMMAND true, expects: file exists out.txt}\n',
    );
    const ended = await bench.run(['run', 'plan.yaml']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('out.txt');
  });

  it('in teacher mode with nobody there it stops with code 3 and can be resumed', async () => {
    bench.write('plan.yaml', planOf('echo one'));
    expect((await bench.run(['run', 'plan.yaml', '--mode', 'teacher'])).code).toBe(3);
    expect(await rows()).toMatchObject([{ state: 'paused', stopReason: 'decision-needed' }]);
    expect((await bench.run(['run', 'plan.yaml', '--mode', 'teacher', '--on-ask', 'park'])).code).toBe(3);
    expect((await rows())[0]).toMatchObject({ state: 'waiting', waitingFor: 'step' });
  });

  it('over the wall time it ends the step, stops with code 4, and goes on with more', async () => {
    bench.write('plan.yaml', planOf('test -f slept || { touch slept; sleep 600; }', 'echo two'));
    const ended = await bench.run(['run', 'plan.yaml'], { PLANWRIGHT_LIMITS_WALL_TIME: '1' });
    expect(ended.code).toBe(4);
    expect(await rows()).toMatchObject([{ state: 'paused', stopReason: 'limit-time' }]);
    expect(await bench.run(['resume', '--wall-time', '60'])).toMatchObject({ code: 0, stdout: 'two\n' });
  });
});

describe('from another terminal', () => {
  it('cancel ends the step in flight and its processes', async () => {
    bench.write('plan.yaml', planOf('touch started; sleep 600 & sleep 600; wait'));
    const running = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    const { id } = (await rows())[0]!;
    expect((await bench.run(['cancel', '--reason', 'enough'])).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'cancelled', stopReason: 'cancelled' }]);
    expect(processesOf(id)).toEqual([]);
  });

  it('skip goes on after a failed step', async () => {
    bench.write('plan.yaml', planOf('false', 'echo two'));
    expect((await bench.run(['run', 'plan.yaml'])).code).toBe(1);
    expect(await bench.run(['skip'])).toMatchObject({ code: 6, stdout: 'two\n' });
  });

  it('logs follow a run of another process', async () => {
    bench.write(
      'plan.yaml',
      planOf('touch started; echo first; until test -f go; do sleep 0.1; done; echo last'),
    );
    const running = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    const logs = bench.start(['logs', '-f']);
    await logs.says('first');
    bench.write('go', '');
    expect(await logs.ended).toMatchObject({ code: 0, stdout: 'first\nlast\n' });
    expect((await running.ended).code).toBe(0);
  });

  it('Ctrl-C rests the run after its step, a second one cancels it', async () => {
    bench.write('plan.yaml', planOf('touch started; until test -f go; do sleep 0.1; done', 'echo two'));
    const once = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    once.child.kill('SIGINT');
    await eventually(
      async () => (await bench.run(['show', '--events'])).stdout.includes('pause-requested'),
      'it is asked',
    );
    bench.write('go', '');
    expect((await once.ended).code).toBe(130);
    expect(await rows()).toMatchObject([{ state: 'paused', stopReason: 'paused', stepsDone: 1 }]);
    expect(await bench.run(['resume'])).toMatchObject({ code: 0, stdout: 'two\n' });

    bench.write('plan.yaml', planOf('touch begun; sleep 600'));
    const twice = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('begun')), 'the step runs');
    twice.child.kill('SIGINT');
    await eventually(
      async () => (await bench.run(['show', '--events'])).stdout.includes('pause-requested'),
      'it is asked',
    );
    twice.child.kill('SIGINT');
    expect((await twice.ended).code).toBe(130);
    expect((await rows())[0]).toMatchObject({ state: 'cancelled' });
  });
});

describe('an unknown step', () => {
  it('stops with code 5 where nobody can be asked, and follows --on-interrupt', async () => {
    bench.write('plan.yaml', planOf('echo x >> log; sleep 600', 'echo two'));
    const killed = bench.start(['run', 'plan.yaml']);
    await eventually(() => existsSync(bench.path('log')), 'the step runs');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect((await bench.run(['resume'])).code).toBe(5);
    expect(await rows()).toMatchObject([{ state: 'paused', stopReason: 'interrupted-unknown' }]);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('x\n');
    expect(await bench.run(['resume', '--on-interrupt', 'skip'])).toMatchObject({ code: 0, stdout: 'two\n' });
  });
});

describe('the rest', () => {
  it('suggests the nearest command and option', async () => {
    expect((await bench.run(['rnus'])).stderr).toContain('did you mean planwright run');
    const ended = await bench.run(['run', 'x.yaml', '--moed', 'agentic']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('did you mean --mode?');
  });

  it('config: flags over environment over user file, unknown keys suggested', async () => {
    expect((await bench.run(['config', 'set', 'mode', 'teacher'])).code).toBe(0);
    expect((await bench.run(['config', 'get', 'mode'])).stdout).toBe('teacher\n');
    expect((await bench.run(['config', 'get', 'mode'], { PLANWRIGHT_MODE: 'agentic' })).stdout).toBe(
      'agentic\n',
    );
    expect((await bench.run(['config', 'get', 'mod'])).stderr).toContain('did you mean mode?');
    expect(await bench.run(['config', 'set', 'mode', 'fast'])).toMatchObject({
      code: 2,
      stderr: 'planwright: mode takes teacher, planner, agentic, not "fast"\n',
    });
  });

  it("a workspace's configuration counts only once the folder is trusted", async () => {
    mkdirSync(bench.path('.planwright'));
    bench.write('.planwright/config.yaml', 'on-failure: continue\n');
    bench.write('plan.yaml', planOf('false', 'echo two'));
    const before = await bench.run(['run', 'plan.yaml']);
    expect(before).toMatchObject({ code: 1, stdout: '' });
    expect(before.stderr).toContain('planwright trust');
    await bench.run(['trust']);
    expect(await bench.run(['run', 'plan.yaml'])).toMatchObject({ code: 1, stdout: 'two\n' });
  });

  it('keeps what it stores for its owner alone', async () => {
    bench.write('plan.yaml', planOf('echo secret'));
    await bench.run(['run', 'plan.yaml']);
    expect(statSync(`${bench.home}/data/planwright.db`).mode & 0o777).toBe(0o600);
    expect(statSync(`${bench.home}/data`).mode & 0o777).toBe(0o700);
  });

  it('gc removes finished runs and never others', async () => {
    bench.write('plan.yaml', planOf('true'));
    bench.write('bad.yaml', planOf('false'));
    await bench.run(['run', 'plan.yaml']);
    await bench.run(['run', 'bad.yaml']);
    const would = await bench.run(['gc', '--keep-days', '0', '--keep-runs', '0', '--dry-run']);
    expect(would.stderr).toMatch(/^Would remove 1 finished run and free \d+\.\d MB\.\n$/);
    const { stderr } = await bench.run(['gc', '--keep-days', '0', '--keep-runs', '0']);
    expect(stderr).toMatch(
      /^Removed 1 finished run and freed \d+\.\d MB\.\nCheckpoints of the last hour are kept, and are not counted\.\n$/,
    );
    expect(await rows()).toMatchObject([{ state: 'failed' }]);
    const none = await bench.run(['gc', '--keep-days', '0', '--keep-runs', '0']);
    expect(none.stderr).toBe('Removed 0 finished runs and freed 0.0 MB.\n');
  });

  it('gc removes the runs that are named, however young, and says which stay', async () => {
    bench.write('plan.yaml', planOf('true'));
    bench.write('bad.yaml', planOf('false'));
    for (const plan of ['plan.yaml', 'plan.yaml', 'bad.yaml']) await bench.run(['run', plan]);
    const ended = (await rows()).filter(({ state }) => state === 'done');
    const removed = await bench.run(['gc', ended[0]!.id.slice(0, 6)]);
    expect(removed).toMatchObject({ code: 0, stdout: `${ended[0]!.id}\n` });
    const failed = (await rows()).find(({ state }) => state === 'failed')!;
    const refused = await bench.run(['gc', failed.id]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Run ${failed.id} stays: it has not`),
    });
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual([ended[1]!.id, failed.id].toSorted());
  });

  it.each(['bash', 'zsh', 'fish'])('completion for %s names every command', async (shell) => {
    const { stdout, code } = await bench.run(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['run', 'resume', 'logs', '--on-ask'.slice(2)]) expect(stdout).toContain(name);
  });

  it('doctor says that all is well', async () => {
    const { code, stdout } = await bench.run(['doctor', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'store', ok: true }));
  });

  it('the demo runs and ends with 0', async () => {
    const { code, stderr } = await bench.run(['demo', '--page'], { CI: 'true', TMPDIR: bench.workspace });
    expect(code, stderr).toBe(0);
    // The page that is named shows the run, and not a list that it is in.
    const [{ id }] = JSON.parse((await bench.run(['runs', '--all', '--json'])).stdout);
    expect(stderr).toMatch(new RegExp(`^Watch it in your browser: http://[\\d.:]+/runs/${id}\\?token=`, 'm'));
    expect(stderr).toContain('step 8/8 done');
    expect(stderr).toContain('5 steps failed and were mended');
  });
});
