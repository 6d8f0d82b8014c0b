import { expect, it } from 'vitest';
import { eventually } from '../support/processes.ts';
import { startOpenAi } from '../wire/index.ts';
import { inTerminal, plan, sitDown } from './terminal.ts';

/** The fast model is at this server, and no other model is there. */
const models = (url: string) => ({
  OPENAI_API_KEY: 'sk-teacher-0123456789abcdef',
  OPENAI_BASE_URL: url,
  ANTHROPIC_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
  MOONSHOT_API_KEY: '',
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PLANWRIGHT_MODELS_FAST: 'openai-chat/gpt-6-luna',
});

inTerminal.concurrent('teacher mode with a model', () => {
  it('adds its words, marked as such, to what was shown at once', async (test) => {
    const server = await startOpenAi({
      text: 'It lists\u001b[31m what is here.',
      tokens: { input: 90, output: 9 },
    });
    test.onTestFinished(() => server.close());
    const { bench, pane, type, ended } = sitDown(test, { rows: 60, env: models(server.url) });
    bench.write(
      'plan.yaml',
      plan({ action: 'RUN_COMMAND ls -l' }, { action: 'RUN_COMMAND echo flux >&2; false' }),
    );
    type('run plan.yaml --mode teacher --yes');
    const screen = await pane.until(/In the words of openai-chat\/gpt-6-luna[\s\S]*\/x:$/);
    expect(screen).toMatch(/ls: [\s\S]*-l {2}\S[\s\S]*Asking openai-chat\/gpt-6-luna[\s\S]*In the words of/);
    expect(screen).toMatch(/which may be wrong \(\$0\.\d+\):\n +It lists/);
    pane.send('r');
    await pane.until(/Step 2 of 2[\s\S]*In the words of[\s\S]*\/x:$/);
    pane.send('r');
    await pane.until(/Step 2 of 2 failed[\s\S]*In the words of[\s\S]*\/x:$/);
    pane.send('x');
    await ended();
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(server.requests[0]!.body)).toContain('RUN_COMMAND ls -l');
    expect(JSON.stringify(server.requests[2]!.body)).toContain('flux');
  });

  it('waits for no model, and a person who goes on hears no more of it', async (test) => {
    const server = await startOpenAi({ never: true });
    test.onTestFinished(() => server.close());
    const { bench, pane, type, ended } = sitDown(test, { rows: 40, env: models(server.url) });
    bench.write('plan.yaml', plan({ action: 'RUN_COMMAND ls -l' }));
    type('run plan.yaml --mode teacher --yes');
    await eventually(() => server.requests.length === 1, 'the model to be asked');
    await pane.until(/\/x:$/);
    pane.send('r');
    const { code, screen } = await ended();
    expect(code).toBe(0);
    expect(screen).not.toContain('In the words of');
  });

  it('asks nobody where that is switched off', async (test) => {
    const server = await startOpenAi({ text: 'Never.' });
    test.onTestFinished(() => server.close());
    const env = { ...models(server.url), PLANWRIGHT_MODELS_EXPLAIN: 'false' };
    const { bench, pane, type, ended } = sitDown(test, { rows: 40, env });
    bench.write('plan.yaml', plan({ action: 'RUN_COMMAND ls -l' }));
    type('run plan.yaml --mode teacher --yes');
    await pane.until(/\/x:$/);
    pane.send('r');
    expect((await ended()).code).toBe(0);
    expect(server.requests).toEqual([]);
  });
});
