import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

inTerminal.concurrent('a person answers', () => {
  it('ASK takes a line, MANUAL waits until it is done', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write(
      'plan.yaml',
      plan(
        { step: 'Where to', action: 'ASK "Which environment?" AS target' },
        { step: 'Tell them', action: 'MANUAL "Tell the on-call channel"' },
        { action: 'RUN_COMMAND echo {target} > target.txt' },
      ),
    );
    type('run plan.yaml --yes');
    await pane.until(/Which environment\?[\s\S]*\n >/);
    pane.send("it's staging; touch INJ", 'Enter');
    await pane.until(/Tell the on-call channel[\s\S]*\/x:$/);
    pane.send('d');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('target.txt'), 'utf8')).toBe("it's staging; touch INJ\n");
  });

  it('a manual step that is left stays for later', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    bench.write('plan.yaml', plan({ action: 'MANUAL "Ring the bell"' }));
    type('run plan.yaml --yes');
    await pane.until(/Ring the bell[\s\S]*\/x:$/);
    pane.send('Enter');
    expect((await ended()).code).toBe(3);
    type('resume');
    await pane.until(/Ring the bell[\s\S]*\/x:$/);
    pane.send('d');
    expect((await ended()).code).toBe(0);
    expect(await row()).toMatchObject({ state: 'done' });
  });

  it('inputs are asked for; Enter takes the default, and a secret is not shown', async (test) => {
    const { bench, pane, type, ended } = sitDown(test);
    bench.write(
      'plan.yaml',
      JSON.stringify({
        goal: 'g',
        inputs: [
          { name: 'region', description: 'Where to', default: 'north' },
          { name: 'pass', description: 'The pass phrase', secret: true },
        ],
        plan: [{ step: 'Use them', run: 'echo {region} {pass} > used.txt; echo said {pass}' }],
      }),
    );
    type('run plan.yaml --yes');
    await pane.until(/region: Where to \(Enter: north\)[\s\S]*\n >/);
    pane.send('Enter');
    await pane.until(/pass: The pass phrase[\s\S]*\n >$/);
    pane.send('quiet-harbour-42', 'Enter');
    expect((await ended()).code).toBe(0);
    expect(pane.everything()).not.toContain('quiet-harbour-42');
    expect(readFileSync(bench.path('used.txt'), 'utf8')).toBe('north quiet-harbour-42\n');
    expect((await bench.run(['logs'])).stdout).not.toContain('quiet-harbour-42');
  });
});
