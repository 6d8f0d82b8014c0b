import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

const copying = plan(
  { step: 'Copy it', action: 'RUN_COMMAND cp plan.yaml deep/er/' },
  { step: 'Say so', action: 'RUN_COMMAND echo said > said.txt' },
);
const failed = /Step 1 of \d failed: Copy it[\s\S]*\/x:$/;

inTerminal.concurrent('teacher mode, when a step fails', () => {
  it('shows the diagnosis, and applies it only when the person says so', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { rows: 45 });
    bench.write('plan.yaml', copying);
    type('run plan.yaml --mode teacher --yes');
    await pane.until(/Step 1 of 2: Copy it[\s\S]*\/x:$/);
    pane.send('r');
    const shown = await pane.until(failed);
    expect(shown).toMatch(/cannot create regular file/);
    expect(shown).toMatch(/first {2}.*deep\/er/);
    expect(shown).toMatch(/\(rule missing-parents, \d+ % sure\)/);
    expect(existsSync(bench.path('deep')), 'nothing is done by itself').toBe(false);
    pane.send('a');
    // The repair is a step like any other: the person runs it.
    await pane.until(/A repair of step 1: [\s\S]*\/x:$/i);
    pane.send('r');
    await pane.until(/Step 1 of 2: Copy it[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/Step 2 of 2: Say so[\s\S]*\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('deep/er/plan.yaml'), 'utf8')).toBe(copying);
  });

  it('again, by hand, or not at all; and where no brain is sure nothing is offered', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test, { rows: 60 });
    bench.write('need', 'echo "need: nothing today" >&2; exit 7');
    bench.write(
      'plan.yaml',
      plan({ step: 'Copy it', action: 'RUN_COMMAND sh need' }, { action: 'RUN_COMMAND true' }),
    );
    type('run plan.yaml --mode teacher --yes');
    await pane.until(/Step 1 of 2: Copy it[\s\S]*\/x:$/);
    pane.send('r');
    const shown = await pane.until(failed);
    expect(shown).toContain('No brain is sure what to do about it.');
    expect(shown).toMatch(/\n r\/e\/m\/s\/x:$/);
    pane.send('r');
    await pane.until(/Step 1 of 2: Copy it[\s\S]*Step 1 of 2: Copy it[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/failed: Copy it[\s\S]*failed: Copy it[\s\S]*\/x:$/);
    pane.send('x');
    expect((await ended()).code).toBe(1);
    expect(await row()).toMatchObject({ state: 'failed', stopReason: 'step-failed' });
    pane.send('clear', 'Enter');
    type('resume');
    await pane.until(/Step 1 of 2: Copy it[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(failed);
    pane.send('m');
    await pane.until(/Step 2 of 2: Step 2[\s\S]*\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(await row()).toMatchObject({ state: 'done', stepsDone: 2 });
  });
});
