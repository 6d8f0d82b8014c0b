import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import { inTerminal, sitDown } from './terminal.ts';

let server: WireServer | null = null;
afterEach(() => server?.close());

const plan = `<json>${JSON.stringify({
  goal: 'g',
  thinking_summary: 'It is short.',
  reflection: 'Nothing.',
  ready: true,
  plan: [{ step: 'Write it', action: 'RUN_COMMAND echo planned > planned.txt', expects: 'exit 0' }],
})}</json>`;

/** What the talking model says, one after the other. */
async function models(...answers: Behaviour[]): Promise<Record<string, string>> {
  server = await startOpenAi(({ body }) => {
    if (body['model'] === 'talker') return answers.length > 1 ? answers.shift()! : answers[0]!;
    return { text: body['model'] === 'planner' ? plan : 'WHO: a person' };
  });
  return {
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
    PLANWRIGHT_MODELS_PLANNER: 'compatible/planner',
    PLANWRIGHT_MODELS_FAST: 'compatible/fast',
    PLANWRIGHT_SANDBOX: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  };
}

const complex = 'Refactor a.ts and b.ts, then update the tests';

inTerminal('a conversation at a terminal', () => {
  it('answers, asks before what is dangerous, tells what it cost, and can be come back to', async (test) => {
    const env = await models(
      { calls: [{ name: 'run_command', args: { command: 'rm old' } }] },
      { text: 'I left it there.' },
      { text: 'Nothing else.' },
    );
    const editor = { EDITOR: 'sed -i s/old/older/' };
    const { bench, pane, type, ended } = sitDown(test, { env: { ...env, ...editor }, rows: 50 });
    bench.write('old', 'x');
    type('chat --mode agentic');
    await pane.until(/^>$/m);
    pane.send('clean up, please', 'Enter');
    const asked = await pane.until(/y\/n\/r\/e\/w\/i\/s:$/);
    expect(asked).toMatch(/This is dangerous:\s+rm old\n/);
    pane.send('e');
    await pane.until(/This is dangerous:\s+rm older\n[\s\S]*y\/n\/r\/e\/w\/i\/s:$/);
    pane.send('n');
    await pane.until(/I left it there\.[\s\S]*^>$/m);
    expect(existsSync(bench.path('old'))).toBe(true);
    pane.send('/cost', 'Enter');
    await pane.until(
      /\/cost\s+2 calls, \d+ of 500,000 tokens[\s\S]*^agentic: 2 calls, \d+ of 500,000 tokens[^\n]*\n>$/m,
    );
    pane.send('/exit', 'Enter');
    expect(await ended()).toMatchObject({ code: 0, screen: expect.stringMatching(/chat --resume \w+/) });
    type('chat --resume last "what else?"');
    expect(await ended()).toMatchObject({ code: 0, screen: expect.stringContaining('Nothing else.') });
  });

  it('a complex message becomes a plan; no: it is answered step by step', async (test) => {
    const write = { name: 'write_file', args: { path: 'slow.txt', content: 'slowly' } };
    const env = await models({ calls: [write] }, { text: 'Then step by step.' });
    const { bench, pane, type, ended } = sitDown(test, { env, rows: 60 });
    type('chat --mode agentic');
    await pane.until(/^>$/m);
    pane.send(complex, 'Enter');
    const presented = await pane.until(/Run nothing[\s\S]*:$/);
    expect(presented).toContain(`Intent: ${complex}`);
    expect(presented).toMatch(/Risk level: caution .* Estimated duration: about 5 s .* Files affected: 1/);
    expect(presented).toMatch(/1 {2}\[RUN\] Write it \(about 5 s\)/);
    expect(presented).toMatch(/Edit/);
    pane.send('n');
    await pane.until(/Then step by step\.[\s\S]*^>$/m);
    expect(existsSync(bench.path('planned.txt'))).toBe(false);
    expect(readFileSync(bench.path('slow.txt'), 'utf8')).toBe('slowly');
    pane.send('/plan', 'Enter');
    await pane.until(/Score \d+, from 3 on it is planned: a plan/);
    pane.send('/exit', 'Enter');
    expect(await ended()).toMatchObject({ code: 0 });
  });

  it('a complex message becomes a plan; yes: it is run, and its results are the answer', async (test) => {
    const env = await models({ text: 'never asked' });
    const { bench, pane, type, ended } = sitDown(test, { env, rows: 60 });
    type(`chat "${complex}"`);
    await pane.until(/Run nothing[\s\S]*:$/);
    pane.send('y');
    expect(await ended()).toMatchObject({
      code: 0,
      screen: expect.stringMatching(/The plan is done: 1 of 1 steps done/),
    });
    expect(readFileSync(bench.path('planned.txt'), 'utf8')).toBe('planned\n');
    expect(server!.requests.filter(({ body }) => body['model'] === 'talker')).toEqual([]);
  });

  const edit = { name: 'edit_file', args: { path: 'a.txt', old: 'two', new: '2' } };

  it('an edit that fails is done in another way, and the chain can be read', async (test) => {
    const write = { name: 'write_file', args: { path: 'a.txt', content: '2\n' } };
    const env = await models({ calls: [edit] }, { calls: [write] }, { text: 'It is 2 now.' });
    const { bench, pane, type, ended } = sitDown(test, { env, columns: 120, rows: 40 });
    bench.write('a.txt', 'one\n');
    type('chat --mode agentic');
    await pane.until(/^>$/m);
    pane.send('Make a 2 of two in a.txt', 'Enter');
    const said = await pane.until(/It is 2 now\.[\s\S]*^>$/m);
    expect(said).toMatch(
      /edit_file failed \(SELF_CORRECT_ATTEMPT\): [\s\S]*Trying another way \(1 of 3\): multi_file_edit or write_file[\s\S]*write_file a\.txt[\s\S]*The other way worked\./,
    );
    expect(readFileSync(bench.path('a.txt'), 'utf8')).toBe('2\n');
    pane.send('/corrections', 'Enter');
    await pane.until(/message 1, 1: edit_file \([^)]*\) →\s+multi_file_edit or write_file:\s+succeeded/);
    pane.send('/exit', 'Enter');
    expect(await ended()).toMatchObject({ code: 0 });
  });

  it('teacher mode explains each call, also one that only looks, and the person makes it', async (test) => {
    const list = { name: 'run_command', args: { command: 'ls -l' } };
    const env = await models(
      { text: 'First I look.', calls: [{ name: 'read_file', args: { path: 'a.txt' } }] },
      { calls: [list] },
      { text: 'That is all.' },
    );
    const { bench, pane, type, ended } = sitDown(test, { env, rows: 50 });
    bench.write('a.txt', 'one\n');
    type('chat --mode teacher "What is in a.txt?"');
    const read = await pane.until(/y\/n\/r\/e\/i\/s:$/);
    expect(read).toMatch(/In teacher mode you make each call, or have it made:[\s\S]*a\.txt[\s\S]*Reads /);
    pane.send('y');
    const listed = await pane.until(/ls -l[\s\S]*y\/n\/r\/e\/i\/s:$/);
    expect(listed).toMatch(/ls: [\s\S]*-l {2}\S+/);
    pane.send('i');
    expect(await ended()).toMatchObject({ code: 0, screen: expect.stringContaining('That is all.') });
    const told = server!.requests.filter(({ body }) => body['model'] === 'talker').at(-1)!;
    expect(JSON.stringify(told.body)).toContain('The person has done it themselves.');
  });

  it('an edit that fails three times more is given up, and the answer says so', async (test) => {
    const calls = [edit];
    const env = await models(...[{ calls }, { calls }, { calls }, { calls }], {
      text: 'I could not change a.txt: it has no "two".',
    });
    const { bench, type, ended } = sitDown(test, { env, columns: 120, rows: 60 });
    bench.write('a.txt', 'one\n');
    type('chat --mode agentic "Make a 2 of two in a.txt"');
    const { code, screen } = await ended();
    expect(code).toBe(1);
    for (const n of [1, 2, 3]) expect(screen).toContain(`Trying another way (${n} of 3)`);
    expect(screen).toMatch(
      /No other way worked\.[\s\S]*I could not change a\.txt: it has no "two"\.[\s\S]*It was tried in other ways, and none worked\./,
    );
    expect(readFileSync(bench.path('a.txt'), 'utf8')).toBe('one\n');
    const asked = server!.requests.filter(({ body }) => body['model'] === 'talker');
    expect(asked.at(-1)!.body).not.toHaveProperty('tools');
  });
});
