import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

const two = plan({ action: 'RUN_COMMAND echo one >> log' }, { action: 'RUN_COMMAND echo two >> log' });

inTerminal.concurrent('before a run a person is asked once', () => {
  it('y runs all steps', async (test) => {
    const { bench, pane, type } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    const asked = await pane.until(/y\/s\/n:/);
    expect(asked).toContain('Run 2 steps in');
    expect(asked).toContain('echo one >> log');
    expect(existsSync(bench.path('log'))).toBe(false);
    pane.send('y');
    expect(await pane.until(/code \d/)).toMatch(/Done: all 2 steps succeeded[\s\S]*code 0/);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\ntwo\n');
  });

  it('s runs step by step, and a step can be skipped', async (test) => {
    const { bench, pane, type } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    await pane.until(/y\/s\/n:/);
    pane.send('s');
    await pane.until(/Step 1 of 2: Step 1[\s\S]*r\/m\/s\/x:/);
    pane.send('s');
    await pane.until(/Step 2 of 2: Step 2[\s\S]*r\/m\/s\/x:/);
    pane.send('r');
    expect(await pane.until(/code \d/)).toContain('code 0');
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('two\n');
  });

  it('n runs nothing, and other keys say nothing', async (test) => {
    const { bench, pane, type, row } = sitDown(test);
    bench.write('plan.yaml', two);
    type('run plan.yaml');
    await pane.until(/y\/s\/n:/);
    pane.send('q', 'n');
    expect(await pane.until(/code \d/)).toContain('code 0');
    expect(existsSync(bench.path('log'))).toBe(false);
    expect(await row()).toBeUndefined();
  });
});
