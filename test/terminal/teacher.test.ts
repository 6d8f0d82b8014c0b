import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

inTerminal.concurrent('teacher mode', () => {
  it('explains every step, lets the person run it, and comes to its end', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { rows: 40 });
    bench.write(
      'plan.yaml',
      plan(
        {
          step: 'List the largest first',
          action: 'RUN_COMMAND ls -l | sort -rn > listing.txt',
          why: 'To see what there is.',
          expects: 'file exists listing.txt',
        },
        { step: 'Make a folder', action: 'RUN_COMMAND mkdir -p out' },
        { step: 'Copy it', action: 'RUN_COMMAND cp listing.txt out' },
      ),
    );
    type('run plan.yaml --mode teacher --yes');
    const first = await pane.until(/Step 1 of 3: List the largest first[\s\S]*\/x:$/);
    expect(first).toMatch(/ls: .+/);
    expect(first).toMatch(/-l {2}\S/);
    expect(first).toMatch(/its output goes to sort: .+/);
    expect(first).toMatch(/>listing\.txt {2}\S/);
    expect(first).toContain('Why: To see what there is.');
    expect(first).toContain('Afterwards: file exists listing.txt');
    pane.send('r');
    const second = await pane.until(/Step 2 of 3: Make a folder[\s\S]*\/x:$/);
    expect(second).toMatch(/mkdir: .+/);
    pane.send('m');
    await pane.until(/Step 3 of 3: Copy it[\s\S]*\/x:$/);
    // It was said to be done by hand, and is not there: the copy becomes a file.
    pane.send('Enter');
    expect(await ended()).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Done: all 3 steps succeeded'),
    });
    expect(readFileSync(bench.path('out'), 'utf8')).toBe(readFileSync(bench.path('listing.txt'), 'utf8'));
  });

  it('x stops at a step, and resume offers it again', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', plan({ action: 'RUN_COMMAND seq -f "seen %g" 1 12' }));
    type('run plan.yaml --mode teacher --yes');
    await pane.until(/\/x:$/);
    pane.send('x');
    expect((await ended()).code).toBe(3);
    expect(await row()).toMatchObject({ state: 'paused', stopReason: 'paused', stepsDone: 0 });
    type('resume');
    await pane.until(/Step 1 of 1: Step 1[\s\S]*\/x:$/);
    pane.send('r');
    const { code, screen } = await ended();
    expect(code).toBe(0);
    // Whoever learns is shown all that the step prints.
    expect(screen).toMatch(/seen 1\n seen 2\n(.*\n)* seen 12$/m);
  });
});
