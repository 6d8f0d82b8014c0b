import { existsSync } from 'node:fs';
import { expect, it, type TestContext } from 'vitest';
import { type Desk, inTerminal, plan, sitDown, untilThere } from './terminal.ts';

const prompt = /Step 1 of 2 is dangerous: Step 1[\s\S]*\/x:$/;

function atThePrompt(test: TestContext): Desk {
  const desk = sitDown(test);
  desk.bench.write('precious.txt', 'x');
  desk.bench.write(
    'plan.yaml',
    plan({ action: 'RUN_COMMAND rm precious.txt' }, { action: 'RUN_COMMAND echo after > after.txt' }),
  );
  desk.type('run plan.yaml --yes');
  return desk;
}

inTerminal.concurrent('a dangerous step', () => {
  it('is denied by Enter', async (test) => {
    const { bench, pane, ended, row } = atThePrompt(test);
    const asked = await pane.until(prompt);
    expect(asked).toContain('Deletes files.');
    expect(asked).toContain('precious.txt');
    pane.send('Enter');
    expect((await ended()).code).toBe(1);
    expect(existsSync(bench.path('precious.txt'))).toBe(true);
    expect(existsSync(bench.path('after.txt'))).toBe(false);
    expect(await row()).toMatchObject({ stopReason: 'approval-denied' });
  });

  it('is approved by a, once', async (test) => {
    const { bench, pane, ended } = atThePrompt(test);
    await pane.until(prompt);
    pane.send('a');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('precious.txt'))).toBe(false);
    expect(existsSync(bench.path('after.txt'))).toBe(true);
  });

  it('is not approved by what was typed before it was shown', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('precious.txt', 'x');
    bench.write('plan.yaml', plan(untilThere('go'), { action: 'RUN_COMMAND rm precious.txt' }));
    type('run plan.yaml --yes');
    await expect.poll(() => existsSync(bench.path('started')), { timeout: 20_000 }).toBe(true);
    pane.send('a');
    bench.write('go', '');
    await pane.until(/Step 2 of 2 is dangerous: Step 2[\s\S]*\/x:$/);
    pane.send('Enter');
    expect((await ended()).code).toBe(1);
    expect(existsSync(bench.path('precious.txt'))).toBe(true);
  });

  it('s leaves it out, and the run goes on without it', async (test) => {
    const { bench, pane, ended, row } = atThePrompt(test);
    expect(await pane.until(prompt)).toContain('Skip it: the run goes on without it');
    pane.send('s');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('precious.txt'))).toBe(true);
    expect(existsSync(bench.path('after.txt'))).toBe(true);
    expect(await row()).toMatchObject({ state: 'done' });
  });

  it('x ends the run', async (test) => {
    const { bench, pane, ended, row } = atThePrompt(test);
    await pane.until(prompt);
    pane.send('x');
    expect((await ended()).code).toBe(1);
    expect(existsSync(bench.path('precious.txt'))).toBe(true);
    expect(await row()).toMatchObject({ state: 'cancelled' });
  });

  it('decided in another process, the prompt is taken back and the run goes on', async (test) => {
    const { bench, pane, ended } = atThePrompt(test);
    await pane.until(prompt);
    expect((await bench.run(['approve'])).code).toBe(0);
    const { code, screen } = await ended();
    expect(screen).toContain('(decided elsewhere)');
    expect(code).toBe(0);
    expect(existsSync(bench.path('precious.txt'))).toBe(false);
    expect(existsSync(bench.path('after.txt'))).toBe(true);
  });
});
