import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

const two = plan({ action: 'RUN_COMMAND echo one >> log' }, { action: 'RUN_COMMAND echo two >> log' });

inTerminal.concurrent('before a run a person is asked once', () => {
  it('y runs all steps', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    const asked = await pane.until(/\/n:$/);
    expect(asked).toMatch(/echo two >> log\n\n . Run 2 steps in/);
    expect(asked).toContain('echo one >> log');
    expect(existsSync(bench.path('log'))).toBe(false);
    pane.send('y');
    expect(await ended()).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Done: all 2 steps succeeded'),
    });
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\ntwo\n');
  });

  it('s runs step by step, and a step can be skipped', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    await pane.until(/\/n:$/);
    pane.send('s');
    await pane.until(/Step 1 of 2: Step 1[\s\S]*\/x:$/);
    pane.send('s');
    await pane.until(/Step 2 of 2: Step 2[\s\S]*\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('two\n');
  });

  it('n runs nothing, and other keys say nothing', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    await pane.until(/\/n:$/);
    pane.send('q', 'n');
    expect((await ended()).code).toBe(1);
    expect(existsSync(bench.path('log'))).toBe(false);
    expect(await row()).toMatchObject({ state: 'cancelled', stopReason: 'plan-rejected' });
  });

  it('y approves the dangerous steps that were shown, as they were shown, and no others', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('old', '');
    bench.write(
      'plan.yaml',
      plan(
        { action: 'RUN_COMMAND rm old' },
        { action: 'RUN_COMMAND mkdir build && touch build/a' },
        { action: 'RUN_COMMAND rm -rf build' },
      ),
    );
    type('run plan.yaml');
    const shown = await pane.until(/\/n:$/);
    expect(shown).toContain('dangerous: Deletes files.');
    expect(shown.replaceAll(/\s+/g, ' ')).toContain('including 2 dangerous steps: rm old, rm -rf build?');
    expect(shown).not.toContain('Enter');
    // Enter is no answer: only a key that says so is. The answer is shown behind the prompt.
    pane.send('Enter', 'y');
    await pane.until(/n: Run all steps, the 2 dangerous ones included/);
    // What the third step deletes was not there to be shown.
    await pane.until(/Step 3 of 3 is dangerous[\s\S]*\/x:$/);
    expect(existsSync(bench.path('old'))).toBe(false);
    expect(existsSync(bench.path('build/a'))).toBe(true);
    pane.send('a');
    expect((await ended()).code).toBe(0);
  });

  it('a runs all steps and asks at the dangerous one when it comes', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('old', '');
    bench.write(
      'plan.yaml',
      plan({ action: 'RUN_COMMAND echo one >> log' }, { action: 'RUN_COMMAND rm old' }),
    );
    type('run plan.yaml');
    await pane.until(/a {2}Run all steps, and ask again at the dangerous one[\s\S]*\/n:$/);
    pane.send('a');
    await pane.until(/Step 2 of 2 is dangerous[\s\S]*\/x:$/);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\n');
    expect(existsSync(bench.path('old'))).toBe(true);
    pane.send('a');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('old'))).toBe(false);
  });
});
