import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openBench } from '../support/cli.ts';
import { inTerminal, plan, sitDown } from './terminal.ts';

const conversation = plan(
  {
    step: 'Talk',
    interactive: true,
    action: 'RUN_COMMAND read -r -p "Your name? " name && test -t 0 && echo "$name" > name.txt',
  },
  { action: 'RUN_COMMAND echo after > after.txt' },
);

inTerminal.concurrent('an interactive step', () => {
  it('has the terminal, and gives it back', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write('plan.yaml', conversation);
    type('run plan.yaml --yes');
    await pane.until(/Your name\?/);
    pane.send('Ada', 'Enter');
    expect(await ended()).toMatchObject({ code: 0, screen: expect.stringContaining('Your name? Ada') });
    expect(readFileSync(bench.path('name.txt'), 'utf8')).toBe('Ada\n');
    expect(existsSync(bench.path('after.txt'))).toBe(true);
    expect(pane.cursorVisible()).toBe(true);
  });

  it('Ctrl-C in it ends the step, not the program', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', conversation);
    type('run plan.yaml --yes');
    await pane.until(/Your name\?/);
    pane.send('C-c');
    await pane.until(/Ended by SIGINT[\s\S]*\/x:$/);
    pane.send('x');
    expect((await ended()).code).toBe(1);
    expect(existsSync(bench.path('after.txt'))).toBe(false);
    expect(await row()).toMatchObject({ stepsDone: 0 });
    type('resume');
    await pane.until(/Your name\?/);
    pane.send('Grace', 'Enter');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('name.txt'), 'utf8')).toBe('Grace\n');
  });
});

it('without a terminal an interactive step is refused, and nothing of it runs', async () => {
  const bench = openBench({ here: true });
  try {
    bench.write('plan.yaml', conversation);
    const { code, stderr } = await bench.run(['run', 'plan.yaml']);
    expect(code, stderr).not.toBe(0);
    expect(stderr).toContain('terminal');
    expect(existsSync(bench.path('name.txt'))).toBe(false);
    expect(existsSync(bench.path('after.txt'))).toBe(false);
  } finally {
    bench.clean();
  }
});
