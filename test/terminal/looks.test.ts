import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown, untilThere } from './terminal.ts';

const steps = plan(
  { action: 'RUN_COMMAND echo hello' },
  untilThere('go'),
  { action: 'RUN_COMMAND rm go' },
  ...Array.from({ length: 9 }, () => ({ action: 'RUN_COMMAND true' })),
);

inTerminal.concurrent('any terminal will do', () => {
  it('40×15: the plan, a question and the end fit', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { columns: 40, rows: 15 });
    bench.write('plan.yaml', steps);
    type('run plan.yaml');
    await pane.until(/\/n:$/);
    pane.send('n');
    expect((await ended()).code).toBe(1);
    type('run plan.yaml --yes');
    const running = await pane.until(/Running step 2 of 12[\s\S]*Ctrl-C to rest, twice to cancel/);
    expect(running).toMatch(/… \d+ more below/);
    bench.write('go', '');
    await pane.until(/Approve exactly this[\s\S]*\/x:$/);
    expect(pane.everything()).toMatch(/Step 3 of 12 is dangerous[\s\S]*rm go[\s\S]*Deletes files\./);
    pane.send('a');
    expect((await ended()).code).toBe(0);
    for (const line of pane.everything().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it.for([['NO_COLOR', { NO_COLOR: '1' }, false] as const, ['a terminal with colours', {}, true] as const])(
    '%s',
    async ([, env, colours], test) => {
      const { bench, pane, type, ended } = sitDown(test, { env });
      bench.write('plan.yaml', steps);
      type('run plan.yaml --yes');
      await pane.until(/Running step 2 of 12/);
      expect(pane.visible({ colors: true }).includes('\x1b[')).toBe(colours);
      bench.write('go', '');
      await pane.until(/\/x:$/);
      expect(pane.visible({ colors: true }).includes('\x1b[')).toBe(colours);
      pane.send('a');
      expect((await ended()).code).toBe(0);
      expect(pane.visible({ colors: true }).includes('\x1b[')).toBe(colours);
    },
  );

  it('TERM=dumb prints plain lines, and still asks', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { rows: 60 });
    bench.write('plan.yaml', steps);
    bench.write('go', '');
    pane.send('export TERM=dumb', 'Enter');
    type('run plan.yaml --yes');
    await pane.until(/\/x:$/);
    pane.send('a');
    const { screen } = await ended();
    expect(screen).toContain('step 1/12 started: Step 1\nhello\nstep 1/12 done: Step 1');
    expect(screen).toContain('step 12/12 done');
    expect(pane.visible({ colors: true })).not.toContain('\x1b[');
  });

  it('what is wrong with a plan is broken between words, never in one', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { columns: 60 });
    bench.write('page.md', '# A page\n\n```sh\nno-such-program-here --with an-option\n```\n');
    type('plan validate page.md');
    const { screen } = await ended();
    const [, said = ''] = /(page\.md:3:1[\s\S]*?)page\.md is a valid plan/.exec(screen) ?? [];
    expect(said.trim().split('\n').length).toBeGreaterThan(1);
    expect(said.replaceAll(/\s+/g, ' ').trim()).toBe(
      'page.md:3:1: warning[command-not-found]: Step 1: there is no command `no-such-program-here` here. Install it first, or check its name.',
    );
    expect(pane.visible()).not.toMatch(/\S{60}/);
  });

  it('what templates are for is below their names where it does not fit beside them', async (test) => {
    const { pane, type, ended } = sitDown(test, { columns: 60, rows: 80 });
    type('templates');
    await ended();
    expect(pane.visible()).toMatch(
      /^count-lines\n {4}Count the lines of code below a folder by kind of file$/m,
    );
  });
});
