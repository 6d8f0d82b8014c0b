import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openOffice, planning, restating } from '../planner/models.ts';
import { inTerminal, sitDown } from './terminal.ts';

inTerminal('a goal is planned together with a person', () => {
  it('a rejected draft, hints, a declined step, a new plan, and every step by hand', {
    timeout: 240_000,
  }, async (test) => {
    const office = await openOffice({
      big: [
        planning(['SAY hello']),
        planning(['RUN_COMMAND echo one >> log', 'RUN_COMMAND echo wrong >> log']),
        planning(['RUN_COMMAND echo one >> log', 'RUN_COMMAND echo two >> log']),
      ],
      small: planning(['RUN_COMMAND false']),
      quick: [restating, { text: '- Use RUN_COMMAND.' }],
    });
    test.onTestFinished(() => office.close());
    const { bench, pane, type, ended } = sitDown(test, { rows: 60, env: office.env });
    type('run "greet the world"');
    const asked = await pane.until(/\/n:$/);
    expect(asked).toContain('WHAT: greet the world');
    expect(asked).toContain('echo wrong');
    pane.send('d');
    await pane.until(/Which step do you not want\?[\s\S]*>$/);
    pane.send('2', 'Enter');
    await pane.until(/Why not[\s\S]*>$/);
    pane.send('say two', 'Enter');
    await pane.until(/echo two[\s\S]*\/n:$/);
    expect(office.asked.at(-1)!.prompt).toContain('say two');
    pane.send('s');
    await pane.until(/Step 1 of 2[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/Step 2 of 2[\s\S]*\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\ntwo\n');
    expect(office.asked.filter(({ model }) => model === 'big')).toHaveLength(3);
  });
});
