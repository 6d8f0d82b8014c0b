import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually, processesOf } from '../support/processes.ts';
import { inTerminal, plan, sitDown, untilThere } from './terminal.ts';

const waiting = plan(untilThere('go'), { action: 'RUN_COMMAND echo two > two.txt' });

inTerminal.concurrent('Ctrl-C', () => {
  it('rests the run after its step, and resume goes on', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', waiting);
    type('run plan.yaml --yes');
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    await pane.until(/Running step 1 of 2/);
    pane.send('C-c');
    await pane.until(/will rest after this step/);
    bench.write('go', '');
    const { code, screen } = await ended();
    expect(code).toBe(130);
    expect(screen).toMatch(/Resume +planwright resume \w+/);
    expect(await row()).toMatchObject({ state: 'paused', stepsDone: 1 });
    type('resume');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('two.txt'))).toBe(true);
  });

  it('twice cancels it, and nothing is left running', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', waiting);
    type('run plan.yaml --yes');
    await eventually(() => existsSync(bench.path('started')), 'the step runs');
    await pane.until(/Running step 1 of 2/);
    pane.send('C-c');
    await pane.until(/will rest after this step/);
    pane.send('C-c');
    expect((await ended()).code).toBe(130);
    const { id, ...run } = await row();
    expect(run).toMatchObject({ state: 'cancelled', stopReason: 'cancelled' });
    expect(processesOf(id)).toEqual([]);
    expect(pane.cursorVisible()).toBe(true);
  });

  it('at a question leaves the question for later', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('x', '');
    bench.write('plan.yaml', plan({ action: 'RUN_COMMAND rm x' }));
    type('run plan.yaml --yes');
    await pane.until(/\/x:$/);
    pane.send('C-c');
    expect((await ended()).code).toBe(130);
    expect(await row()).toMatchObject({ state: 'waiting' });
    expect((await bench.run(['approve'])).code).toBe(0);
    expect(existsSync(bench.path('x'))).toBe(false);
  });

  it('before it is agreed runs nothing', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', waiting);
    type('run plan.yaml');
    await pane.until(/\/n:$/);
    pane.send('C-c');
    expect((await ended()).code).toBe(130);
    expect(await row()).toMatchObject({ state: 'cancelled', stopReason: 'plan-rejected' });
  });
});
