import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planOf } from '../support/cli.ts';
import { inTerminal, sitDown } from './terminal.ts';

inTerminal('the run that is meant', () => {
  test('several that fit are listed and asked about, and the question names the folder worked in', async (t) => {
    const desk = sitDown(t, { columns: 140 });
    const { bench, pane } = desk;
    mkdirSync(bench.path('src'));
    for (const name of ['one', 'two']) {
      bench.write(`${name}.json`, planOf(`echo ${name} >> ${name}.log; test -f ready`));
      expect((await bench.run(['run', `${name}.json`])).code).toBe(1);
    }
    bench.write('ready', '');
    desk.type('resume -C src');
    const asked = await pane.until(/Which one\?[\s\S]*> *$/);
    expect(asked).toMatch(/2 runs could be meant/);
    pane.send('9', 'Enter');
    await pane.until(/None of them[\s\S]*> *$/);
    // The newest is the first.
    pane.send('2', 'Enter');
    expect((await desk.ended()).code).toBe(0);
    const logs = ['one', 'two'].map((name) => readFileSync(bench.path(`${name}.log`), 'utf8'));
    expect(logs).toEqual(['one\none\n', 'two\n']);

    desk.type('undo -C src');
    const undo = await pane.until(/Run 1 step in[\s\S]*\/n:$/);
    expect(undo.replaceAll(/\s*\n\s*/g, '')).toContain(`in ${bench.workspace}?`);
    pane.send('n');
    await desk.ended();

    bench.write('two.log', 'mine\n');
    desk.type('undo --dry-run');
    expect((await desk.ended()).screen).toContain('leave two.log: changed since');
  });
});
