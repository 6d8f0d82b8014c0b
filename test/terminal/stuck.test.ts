import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startOpenAi } from '../wire/index.ts';
import { inTerminal, plan, sitDown } from './terminal.ts';

/** A brain that has one answer, until it is given a hint. */
const BRAIN = `if grep -q 'make ready'; then
  echo '{"action":"insert_steps","reasoning":"As told.","newSteps":[{"step":"Make it","action":"RUN_COMMAND touch ready"}]}'
else
  echo '{"action":"modify","reasoning":"Again.","modifiedCommand":"sh need ready '$(ls | wc -l)'"}'
fi
`;
const NEED = '[ -f "$1" ] && exit 0\necho "need: no $1 today" >&2\n: > "tried$$"\nexit 7\n';
const stuck = /Step 1 of 2 could not be mended: Need it[\s\S]*\/x:$/;

inTerminal.concurrent('a stuck run at a terminal', () => {
  const sit = (test: Parameters<typeof sitDown>[0], env: Record<string, string> = {}) => {
    const desk = sitDown(test, {
      rows: 45,
      env: {
        PLANWRIGHT_BRAIN_PROGRAM: 'sh brain.sh',
        PLANWRIGHT_SANDBOX: 'off',
        PLANWRIGHT_LIMITS_RETRIES: '1',
        ...env,
      },
    });
    desk.bench.write('brain.sh', BRAIN);
    desk.bench.write('need', NEED);
    desk.bench.write(
      'plan.yaml',
      plan(
        { step: 'Need it', action: 'RUN_COMMAND sh need ready' },
        { step: 'Say so', action: 'RUN_COMMAND echo said > said.txt' },
      ),
    );
    desk.type('run plan.yaml --mode agentic --yes');
    return desk;
  };

  it('asks there and then, and goes on by a hint', async (test) => {
    const { bench, pane, ended } = sit(test);
    const shown = await pane.until(stuck);
    expect(shown).toMatch(/need: no ready today/);
    expect(shown).toMatch(/Given up: it was attempted once after the first time/);
    expect(shown).toMatch(/\n h\/e\/s\/m\/a\/x:$/);
    pane.send('h');
    await pane.until(/What does the brain not know\?[\s\S]*> *$/);
    pane.send('make ready first', 'Enter');
    const { code, screen } = await ended();
    expect(screen).toContain('Done: all 3 steps succeeded');
    expect(code).toBe(0);
    expect(readFileSync(bench.path('said.txt'), 'utf8')).toBe('said\n');
  });

  it('takes more attempts, then an edit by hand', async (test) => {
    const { bench, pane, ended, row } = sit(test, { EDITOR: "sed -i 's/sh need ready.*/touch edited/'" });
    await pane.until(stuck);
    pane.send('m');
    const again = await pane.until(
      /could not be mended: Need it[\s\S]*could not be mended: Need it[\s\S]*\/x:$/,
    );
    expect(again).toMatch(/Given up: it was attempted 4 times after the first time/);
    pane.send('e');
    expect((await ended()).code).toBe(0);
    expect(existsSync(bench.path('edited'))).toBe(true);
    expect(await row()).toMatchObject({ state: 'done', stepsDone: 2 });
  });

  it('asks another model, by the name that is typed', async (test) => {
    const dull = { action: 'modify', modifiedCommand: 'sh need ready again', reasoning: 'Again.' };
    const newSteps = [{ step: 'Make it', action: 'RUN_COMMAND touch ready' }];
    const bright = { action: 'insert_steps', newSteps, reasoning: 'It is not there.' };
    const server = await startOpenAi(({ body }) => ({
      text: JSON.stringify({ ...(body['model'] === 'bright' ? bright : dull), confidence: 0.9 }),
    }));
    test.onTestFinished(() => server.close());
    const { bench, pane, ended } = sit(test, {
      PLANWRIGHT_BRAIN_PROGRAM: '',
      PLANWRIGHT_MODELS_BRAIN: 'openai/dull',
      OPENAI_API_KEY: 'sk-stuck-0123456789abcdef',
      OPENAI_BASE_URL: server.url,
      OLLAMA_HOST: 'http://127.0.0.1:9',
    });
    expect(await pane.until(stuck)).toMatch(/\n {3}o {2}Ask another model\n[\s\S]*\n h\/e\/s\/m\/o\/a\/x:$/);
    pane.send('o');
    await pane.until(/Which one\? openai\/dull[\s\S]*> *$/);
    pane.send('somebody else', 'Enter');
    await pane.until(/A model is named PROVIDER\/MODEL\.[\s\S]*\/x:$/);
    pane.send('o');
    await pane.until(/A model is named PROVIDER\/MODEL\.[\s\S]*Which one\?[\s\S]*> *$/);
    expect(new Set(server.requests.map(({ body }) => body['model']))).toEqual(new Set(['dull']));
    pane.send('openai/bright', 'Enter');
    const { code, screen } = await ended();
    expect(screen).toContain('Done: all 3 steps succeeded');
    expect(code).toBe(0);
    expect(server.requests.at(-1)?.body['model']).toBe('bright');
    expect(readFileSync(bench.path('said.txt'), 'utf8')).toBe('said\n');
  });

  it('goes on without the step, and says so with its own exit code', async (test) => {
    const { pane, ended, row } = sit(test);
    await pane.until(stuck);
    pane.send('s');
    const { code, screen } = await ended();
    expect(code).toBe(6);
    expect(screen).toContain('Done without a step that failed');
    expect(await row()).toMatchObject({ stopReason: 'completed-with-skips' });
  });

  it('is cancelled, or left as it is for another day', async (test) => {
    const { bench, pane, type, ended, row } = sit(test);
    await pane.until(stuck);
    pane.send('x');
    expect((await ended()).code).toBe(4);
    expect(await row()).toMatchObject({ state: 'paused', stopReason: 'agent-stuck' });
    pane.send('clear', 'Enter');
    type('resume');
    await pane.until(stuck);
    pane.send('a');
    await ended();
    expect(await row()).toMatchObject({ state: 'cancelled' });
    expect(existsSync(bench.path('said.txt'))).toBe(false);
  });
});
