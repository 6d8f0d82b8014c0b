import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openOffice, planning, restating } from '../planner/models.ts';
import { inTerminal, sitDown } from './terminal.ts';

inTerminal('a goal is planned together with a person', () => {
  it('a rejected draft, hints, a declined step, a new plan, and every step by hand', async (test) => {
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
    expect(asked).toMatch(/goal restated \(\d/);
    expect(asked).toMatch(/draft 1 from compatible\/big \(.*\d s\)/);
    expect(asked).toContain('hints for the next draft');
    expect(asked).toContain('Would touch log');
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

  it('a plan is agreed on and kept, and nothing is run', async (test) => {
    const good = planning(['RUN_COMMAND echo one > log']);
    const office = await openOffice({ big: good, small: good, quick: restating });
    test.onTestFinished(() => office.close());
    const { bench, pane, type, ended } = sitDown(test, { rows: 60, env: office.env });
    type('plan "greet the world" -o kept.yaml');
    await pane.until(/Is this the plan\?[\s\S]*\/n:$/);
    pane.send('k');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('kept.yaml'), 'utf8')).toContain('echo one > log');
    expect(existsSync(bench.path('log'))).toBe(false);
    type('plan "greet the world" -o other.yaml');
    await pane.until(/Is this the plan\?[\s\S]*Is this the plan\?[\s\S]*\/n:$/);
    pane.send('n');
    await ended();
    expect(existsSync(bench.path('other.yaml'))).toBe(false);
  });

  it('the best draft is mended in the editor, agreed on, and run', async (test) => {
    const bad = planning(['SAY hello']);
    const office = await openOffice({ big: bad, small: bad, quick: restating });
    test.onTestFinished(() => office.close());
    const { bench, pane, type, ended } = sitDown(test, {
      rows: 60,
      env: {
        ...office.env,
        VISUAL:
          'sh -c \'cp "$1" draft.seen; sed -i "s/action:.*SAY.*/action: RUN_COMMAND echo mended > log/" "$1"\' sh',
      },
    });
    type('run "greet the world"');
    await pane.until(/No plan:[\s\S]*\/x:$/);
    pane.send('e');
    await pane.until(/echo mended[\s\S]*\/n:$/);
    pane.send('y');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('draft.seen'), 'utf8')).toContain('is not an action');
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('mended\n');
  });

  it('a step that is declined with a reason while the run is under way is planned again', async (test) => {
    const office = await openOffice({
      big: [
        planning(['RUN_COMMAND echo one >> log', 'RUN_COMMAND echo wrong >> log']),
        planning(['RUN_COMMAND rm -r data']),
        planning(['RUN_COMMAND echo three >> log']),
      ],
      small: planning(['RUN_COMMAND false']),
      quick: restating,
    });
    test.onTestFinished(() => office.close());
    const { bench, pane, type, ended } = sitDown(test, { rows: 60, env: office.env });
    type('run "greet the world"');
    await pane.until(/echo wrong[\s\S]*\/n:$/);
    pane.send('s');
    await pane.until(/Step 1 of 2[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/Step 2 of 2[\s\S]*\/x:$/);
    pane.send('s');
    await pane.until(/Why not\?[\s\S]*>$/);
    pane.send('it is wrong', 'Enter');
    await pane.until(/rm -r data[\s\S]*\/n:$/);
    expect(office.asked.at(-1)!.prompt).toContain('it is wrong');
    pane.send('s');
    await pane.until(/Step 2 of 2[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/d\/r\/s\/a\/e\/w\/x:$/);
    pane.send('r');
    await pane.until(/say why\n[\s\S]*>$/);
    pane.send('the data is mine', 'Enter');
    await pane.until(/echo three[\s\S]*Run 1 step in[\s\S]*\/n:$/);
    expect(office.asked.at(-1)!.prompt).toContain('the data is mine');
    pane.send('s');
    await pane.until(/Step 2 of 2: Run echo three[\s\S]*\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(bench.path('log'), 'utf8')).toBe('one\nthree\n');
  });
});
