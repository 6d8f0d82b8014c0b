import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../src/doors/app/app.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { someone } from '../support/someone.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
  mkdirSync(bench.path('build'));
  bench.write('build/a', 'a');
  bench.write('keep', 'k');
});
afterEach(() => bench.clean());

const plan = (command: string, extra = '') =>
  bench.write(
    'plan.yaml',
    `goal: clear\n${extra}plan:\n- step: before\n  action: RUN_COMMAND echo before >> log\n- step: clear\n  action: RUN_COMMAND ${command}\n- step: after\n  action: RUN_COMMAND echo after >> log\n`,
  );
const log = () => readFileSync(bench.path('log'), 'utf8');
const row = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout)[0];
const events = async () =>
  (await bench.run(['show', '--events'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const types = async () => (await events()).map(({ type }) => type);

describe('a dangerous step never runs without its approval', () => {
  it.each(['planner', 'agentic'])(
    'in %s mode, with nobody there: stopped, denied or parked',
    async (mode) => {
      plan('rm -rf build');
      expect((await bench.run(['run', 'plan.yaml', '--mode', mode])).code).toBe(3);
      expect(await row()).toMatchObject({ state: 'paused', stopReason: 'approval-needed' });
      expect((await bench.run(['run', 'plan.yaml', '--mode', mode, '--on-ask', 'deny'])).code).toBe(1);
      expect(await row()).toMatchObject({ stopReason: 'approval-denied' });
      expect((await bench.run(['run', 'plan.yaml', '--mode', mode, '--on-ask', 'park'])).code).toBe(3);
      expect(await row()).toMatchObject({ state: 'waiting', waitingFor: 'approval' });
      expect(existsSync(bench.path('build/a'))).toBe(true);
      expect(log()).toBe('before\nbefore\nbefore\n');
    },
  );

  it('in teacher mode it needs its approval after the person has said run', async () => {
    plan('rm -rf build');
    expect((await bench.run(['run', 'plan.yaml', '--mode', 'teacher', '--on-ask', 'park'])).code).toBe(3);
    const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
    const { id } = await row();
    for (const stepId of ['s1', 's2']) {
      await app.runs.request(id, { type: 'step-decided', stepId, decision: 'run' }, { by: someone });
      await app.runs.drive(id);
    }
    await app.close();
    expect(await row()).toMatchObject({ state: 'waiting', waitingFor: 'approval' });
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });

  it('--yes does not approve it', async () => {
    plan('rm -rf build');
    expect((await bench.run(['run', 'plan.yaml', '--yes'])).code).toBe(3);
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });

  it('after a resume it asks again', async () => {
    plan('rm -rf build');
    await bench.run(['run', 'plan.yaml']);
    expect((await bench.run(['resume'])).code).toBe(3);
    expect((await types()).filter((type) => type === 'approval-needed')).toHaveLength(2);
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });

  it('a blocked one never runs, whatever is decided', async () => {
    plan('rm -rf /');
    const ended = await bench.run(['run', 'plan.yaml']);
    expect(ended.code).toBe(1);
    expect((await types()).includes('approval-needed')).toBe(false);
    expect((await bench.run(['approve'])).code).toBe(2);
  });
});

describe('an approval', () => {
  const park = async () => {
    const ended = await bench.run(['run', 'plan.yaml', '--on-ask', 'park']);
    expect(ended.code, ended.stderr).toBe(3);
  };

  it('from another process, another day, lets exactly this run, once', async () => {
    plan('rm -rf build');
    await park();
    const waiting = await bench.run(['waiting']);
    expect(waiting.stdout).toContain('rm -rf build');
    expect(waiting.stdout).toMatch(/^ {2}planwright approve \w+\n {2}planwright deny \w+$/m);
    expect((await bench.run(['approve'])).code).toBe(0);
    expect(existsSync(bench.path('build'))).toBe(false);
    expect(existsSync(bench.path('keep'))).toBe(true);
    expect(log()).toBe('before\nafter\n');
  });

  it('can be denied with a reason, and the run stops there', async () => {
    plan('rm -rf build');
    await park();
    const denied = await bench.run(['deny', '--reason', 'we need build']);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('we need build');
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });

  it('is void when a link leads somewhere else by the time it runs', async () => {
    mkdirSync(bench.path('precious'));
    bench.write('precious/p', 'p');
    symlinkSync('build', bench.path('link'));
    plan('rm -rf link/');
    await park();
    rmSync(bench.path('link'));
    symlinkSync('precious', bench.path('link'));
    expect((await bench.run(['approve'])).code).toBe(3);
    expect(existsSync(bench.path('precious/p'))).toBe(true);
    expect((await types()).filter((type) => type === 'approval-needed')).toHaveLength(2);
  });

  it('is void when a variable has another value by the time it runs', async () => {
    mkdirSync(bench.path('precious'));
    plan('rm -rf "$TARGET"');
    const ended = await bench.run(['run', 'plan.yaml', '--on-ask', 'park'], { TARGET: bench.path('build') });
    expect(ended.code).toBe(3);
    expect((await bench.run(['approve'], { TARGET: bench.path('precious') })).code).toBe(3);
    expect(existsSync(bench.path('precious'))).toBe(true);
  });

  it('is void when the folder to be deleted has got another file', async () => {
    plan('rm -rf build');
    await park();
    bench.write('build/new', 'n');
    expect((await bench.run(['approve'])).code).toBe(3);
    expect(existsSync(bench.path('build/new'))).toBe(true);
  });

  it('is void when the step was edited', async () => {
    plan('rm -rf build');
    await park();
    const { id } = await row();
    const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
    const state = await app.runs.state(id);
    const approvalId = state.approvals.at(-1)!.id;
    const step = {
      ...state.plan!.steps[1]!,
      action: { kind: 'run-command' as const, command: 'rm -rf build keep' },
    };
    const patch = [{ op: 'replace' as const, stepId: step.id, step }];
    await app.runs.request(
      id,
      { type: 'edit-requested', baseRevision: 0, patch, reason: 'more' },
      { by: someone },
    );
    await app.runs.request(
      id,
      { type: 'approval-decided', approvalId, decision: 'approve' },
      { by: someone },
    );
    const rested = await app.runs.drive(id);
    expect(rested.why).toBe('waiting');
    expect(rested.state.approvals.map(({ status }) => status)).toEqual(['withdrawn', 'needed']);
    await app.close();
    expect(existsSync(bench.path('keep'))).toBe(true);
  });

  it('of two that decide at once, one counts and the other is told', async () => {
    plan('rm -rf build');
    await park();
    const { id } = await row();
    const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
    const approvalId = (await app.runs.state(id)).approvals.at(-1)!.id;
    await Promise.all([
      app.runs.request(id, { type: 'approval-decided', approvalId, decision: 'deny' }, { by: someone }),
      app.runs.request(id, { type: 'approval-decided', approvalId, decision: 'approve' }, { by: someone }),
    ]);
    await app.runs.drive(id);
    await app.close();
    const decided = (await types()).filter((type) =>
      /^approval-(granted|denied)$|request-refused/.test(type),
    );
    expect(decided).toEqual(['approval-denied', 'request-refused']);
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });
});

describe('rules', () => {
  it('--rules allows exactly the command it names, in CI', async () => {
    plan('rm -rf build');
    bench.write('rules.yaml', 'rules:\n- {effect: allow, command: rm -rf build}\n');
    expect((await bench.run(['run', 'plan.yaml', '--rules', 'rules.yaml'])).code).toBe(0);
    expect(existsSync(bench.path('build'))).toBe(false);
    plan('rm -rf build keep');
    expect((await bench.run(['run', 'plan.yaml', '--rules', 'rules.yaml'])).code).toBe(3);
    expect(existsSync(bench.path('keep'))).toBe(true);
  });

  it('never lift what is blocked, and deny comes first', async () => {
    bench.write(
      'rules.yaml',
      'rules:\n- {effect: allow, command: rm -rf /}\n- {effect: allow, command: rm -rf build}\n- {effect: deny, prefix: rm, reason: not here}\n',
    );
    plan('rm -rf /');
    expect((await bench.run(['run', 'plan.yaml', '--rules', 'rules.yaml'])).code).toBe(1);
    plan('rm -rf build');
    const denied = await bench.run(['run', 'plan.yaml', '--rules', 'rules.yaml']);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('not here');
    expect(existsSync(bench.path('build/a'))).toBe(true);
  });

  it("a folder's own rules allow nothing until it is trusted", async () => {
    plan('rm -rf build');
    mkdirSync(bench.path('.planwright'));
    bench.write('.planwright/rules.yaml', 'rules:\n- {effect: allow, command: rm -rf build}\n');
    expect((await bench.run(['run', 'plan.yaml'])).code).toBe(3);
    await bench.run(['trust']);
    expect((await bench.run(['run', 'plan.yaml'])).code).toBe(0);
  });

  it('with a mistake in them stop everything, with a sentence', async () => {
    plan('rm -rf build');
    bench.write('rules.yaml', 'rules:\n- {efect: deny, command: rm -rf build}\n');
    const ended = await bench.run(['run', 'plan.yaml', '--rules', 'rules.yaml']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('effect');
  });
});

it('a denial that comes before it has begun wins over the approval, and what is refused is told', async () => {
  plan('rm -rf build');
  await bench.run(['run', 'plan.yaml', '--on-ask', 'park']);
  const settled = await bench.run(['skip', '--step', '1']);
  expect(settled).toMatchObject({ code: 1, stderr: expect.stringContaining('step s1 is done') });

  const { id } = await row();
  const app = await openApp({ env: { ...process.env, PLANWRIGHT_HOME: bench.home }, cwd: bench.workspace });
  // Nobody drives it yet: both are in the journal before anything is done.
  for (const decision of ['approve', 'deny'] as const) {
    const body = { type: 'approval-decided', approvalId: 's2.1', decision } as const;
    await app.runs.request(id, body, { by: someone });
  }
  await app.close();
  expect((await bench.run(['resume', '--on-ask', 'park'])).code).toBe(1);
  expect(existsSync(bench.path('build/a'))).toBe(true);
  expect(await row()).toMatchObject({ stopReason: 'approval-denied' });
  expect(await events()).toContainEqual(
    expect.objectContaining({ type: 'approval-denied', overruled: true }),
  );
});

it('what it stopped for with nobody there waits for whoever comes: waiting, approve and deny work on it', async () => {
  plan('rm -rf build');
  const stopped = await bench.run(['run', 'plan.yaml']);
  expect(stopped.code).toBe(3);
  const { id } = await row();
  expect(stopped.stderr).toContain(`planwright approve ${id}`);
  expect(JSON.parse((await bench.run(['waiting', '--json'])).stdout)).toMatchObject([
    { run: id, waitingFor: 'approval', approval: { stepId: 's2' } },
  ]);
  expect((await bench.run(['approve'])).code).toBe(0);
  expect(existsSync(bench.path('build/a'))).toBe(false);
  expect(log()).toBe('before\nafter\n');
  expect((await bench.run(['waiting', '--json'])).stdout.trim()).toBe('[]');
});
