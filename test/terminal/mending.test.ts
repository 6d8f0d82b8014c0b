import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

/** Answers when there is a file `go`, each time with another correction. */
const BRAIN = `cat > /dev/null
until [ -f go ]; do sleep 0.02; done
rm go
if [ -f asked ]; then
  echo '{"action":"insert_steps","reasoning":"It needs a file.","newSteps":[{"step":"Make the file","action":"RUN_COMMAND touch ready; touch started; until test -f on; do sleep 0.02; done"}]}'
else
  touch asked
  echo '{"action":"modify","reasoning":"Another name may do.","modifiedCommand":"sh need ready now"}'
fi
`;

inTerminal('a run that is mended, live', () => {
  it('shows that the brain is at it, why, and what it changed', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, {
      env: { PLANWRIGHT_BRAIN_PROGRAM: 'sh brain.sh', PLANWRIGHT_SANDBOX: 'off' },
    });
    bench.write('brain.sh', BRAIN);
    bench.write('need', '[ -f "$1" ] && exit 0\necho "need: no $1 today" >&2\nexit 7\n');
    bench.write(
      'plan.yaml',
      plan(
        { action: 'RUN_COMMAND true' },
        { action: 'RUN_COMMAND sh need ready' },
        { action: 'RUN_COMMAND true' },
      ),
    );
    type('run plan.yaml --mode agentic --yes');
    const asking = await pane.until(/Finding out why step 2 of 3 failed/);
    expect(asking).toMatch(/Step 2 +exit 7[\s\S]*asking the brain/);
    bench.write('go', '');
    // Its first answer does not help, and it is asked again.
    await pane.until(/Finding out why step 2 of 3 failed[\s\S]*attempt 2/);
    bench.write('go', '');
    const mending = await pane.until(/Mending step 2 of 3/);
    expect(mending).toMatch(/Make the file/);
    expect(mending).toMatch(/It needs a file\. \(add a step before it, brain program sh brain\.sh\)/);
    expect(pane.visible({ colors: true }), 'what the machine put there is magenta').toMatch(
      /\x1b\[[\d;]*35m *Make the file/,
    );
    bench.write('on', '');
    const { code, screen } = await ended();
    expect(code).toBe(0);
    expect(screen).toContain('Done: all 4 steps succeeded');
    type('why');
    const why = (await ended()).screen;
    expect(why).toMatch(/Step 2 failed \(exit 7\)[\s\S]*need: no ready today/);
    expect(why).toMatch(/it did not help[\s\S]*It needs a file\.[\s\S]*it helped/);
  });
});

inTerminal('a step that failed in planner mode', () => {
  it('is asked about there and then: edited in the editor, it runs', async (test) => {
    const { bench, pane, type, ended } = sitDown(test, { env: { EDITOR: 'sed -i s/missing/made/' } });
    bench.write('made', '');
    bench.write(
      'plan.yaml',
      plan({ action: 'RUN_COMMAND cat missing' }, { action: 'RUN_COMMAND touch after' }),
    );
    type('run plan.yaml --yes');
    const asked = await pane.until(/Step 1 of 2 failed[\s\S]*\/x:$/);
    expect(asked).toContain('Run it again as it is');
    expect(asked).not.toContain('hint');
    pane.send('e');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('after'))).toBe(true);
  });
});
