import { afterEach, describe, expect, it } from 'vitest';
import { turnsOf } from '../../src/core/contract/index.ts';
import { by, openTable, type Table } from './table.ts';

let table: Table;
afterEach(() => table.close());

const complex = 'Refactor a.ts and b.ts into smaller modules, then update the tests';
const editOf = (old: string, text: string) => ({ name: 'edit_file', args: { path: 'a.ts', old, new: text } });

describe('a simple message is answered with tools', () => {
  it('reads side by side, then changes, then says so; nothing is asked that need not be', async () => {
    table = await openTable();
    table.write('a.ts', 'one\n');
    table.write('b.ts', 'two\n');
    table.talk(
      {
        calls: [
          { name: 'read_file', args: { path: 'a.ts' } },
          { name: 'read_file', args: { path: 'b.ts' } },
        ],
      },
      { calls: [editOf('one', '1')] },
      { text: 'Done: one is 1 now.' },
    );
    const state = await table.say('Make one a digit in a.ts');
    expect(turnsOf(state)[0]).toMatchObject({ outcome: 'answered', plans: [] });
    expect(table.read('a.ts')).toBe('1\n');
    const started = (await table.events()).filter(({ type }) => type === 'calls-started');
    expect(started).toMatchObject([{ callIds: ['t1r1c0', 't1r1c1'] }, { callIds: ['t1r2c0'] }]);
    const told = JSON.stringify(table.heard()[1]!.body);
    expect(told).toContain('two');
  });

  it('a file that is named with @ is read before the model is asked; a secret one is asked for first', async () => {
    table = await openTable();
    table.write('notes.md', 'the sky is green\n');
    table.write('.env.local', 'TOKEN=abc\n');
    table.talk({ text: 'It says that the sky is green.' });
    await table.say('what does @notes.md say?');
    expect(JSON.stringify(table.heard()[0]!.body)).toContain('the sky is green');
    const state = await table.say('and @.env.local');
    expect(state.turn).not.toBeNull();
    expect(state.approvals).toMatchObject([{ status: 'needed', why: 'dangerous' }]);
    expect(JSON.stringify(table.server.requests.map(({ body }) => body))).not.toContain('TOKEN=abc');
  });
});

describe('a complex message', () => {
  it('becomes a plan; rejected, it is answered step by step', async () => {
    table = await openTable();
    table.talk({ text: 'Then let us go slowly.' });
    const waits = await table.say(complex);
    const run = `${table.chat}p1`;
    expect(waits.turn?.considered).toMatchObject({ plan: true });
    expect(table.heard()).toEqual([]);
    expect((await table.app.streams.row(table.chat))?.awaits).toBe(run);
    const { plan } = await table.app.runs.state(run);
    const reject = { type: 'plan-decided', revision: plan!.revision, decision: 'cancel' } as const;
    await table.app.runs.request(run, reject, { by });
    const state = await table.go();
    expect(turnsOf(state)[0]).toMatchObject({
      outcome: 'answered',
      plans: [{ run, agreed: false, reason: 'plan-rejected' }],
    });
    expect(JSON.stringify(table.heard()[0]!.body)).toContain('A plan for this was not agreed on');
    expect(table.read('planned.txt')).toBeNull();
  });

  it('becomes a plan; approved, it is run by the one engine and its results come back', async () => {
    table = await openTable();
    table.plan.steps = [
      'RUN_COMMAND echo planned > planned.txt',
      'RUN_COMMAND false',
      'RUN_COMMAND echo x > last.txt',
    ];
    await table.say(complex);
    const run = `${table.chat}p1`;
    const { plan } = await table.app.runs.state(run);
    await table.app.runs.request(run, { type: 'mode-requested', mode: 'planner' }, { by });
    const approve = { type: 'plan-decided', revision: plan!.revision, decision: 'all' } as const;
    await table.app.runs.request(run, approve, { by });
    const state = await table.go();
    const [turn] = turnsOf(state);
    expect(turn).toMatchObject({ outcome: 'planned', rounds: [] });
    expect(turn?.plans[0]?.steps.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
    expect([table.read('planned.txt'), table.read('last.txt')]).toEqual(['planned\n', 'x\n']);
    expect(state.spending.calls).toBeGreaterThan(0);
    table.talk({ text: 'Step 2 failed.' });
    await table.say('What failed?');
    expect(JSON.stringify(table.heard()[0]!.body)).toContain('Step 2: failed');
  });

  it('of which no plan can be made is answered step by step', async () => {
    table = await openTable();
    table.plan.steps = ['NOT_AN_ACTION at all'];
    table.talk({ text: 'No plan, then.' });
    const state = await table.say(complex);
    expect(turnsOf(state)[0]).toMatchObject({
      outcome: 'answered',
      plans: [{ agreed: false, reason: 'planning-failed' }],
    });
  });

  it('is not planned where the person says so, and a simple one is where they say so', async () => {
    table = await openTable();
    table.talk({ text: 'As you like.' });
    expect(turnsOf(await table.say(complex, 'never'))[0]).toMatchObject({ outcome: 'answered', plans: [] });
    expect((await table.say('hello', 'always')).children).toMatchObject([{ kind: 'run' }]);
  });
});

describe('a tool that gives the signal', () => {
  it('is tried in the suggested way, in the words of the request, and that it worked is known', async () => {
    table = await openTable();
    table.write('a.ts', 'one\n');
    table.talk(
      { calls: [editOf('two', '2')] },
      { calls: [{ name: 'write_file', args: { path: 'a.ts', content: '2\n' } }] },
      { text: 'Written anew.' },
    );
    const state = await table.say('Replace two by 2 in a.ts');
    expect(turnsOf(state)[0]).toMatchObject({
      outcome: 'answered',
      corrections: [{ n: 1, status: 'succeeded', signal: { originalTool: 'edit_file' } }],
    });
    expect(table.read('a.ts')).toBe('2\n');
    const told = JSON.stringify(table.heard()[1]!.body);
    expect(told).toContain("The previous approach failed. Here's a more direct strategy:");
    expect(told).toContain("The operation 'edit_file' failed with error");
    expect(await table.types()).toEqual(expect.arrayContaining(['correction-attempt', 'correction-success']));
  });

  it('three times in vain: the model has to say so, without tools, and what it still calls is not done', async () => {
    table = await openTable();
    table.write('a.ts', 'one\n');
    table.talk({ calls: [editOf('two', '2')], text: 'I try.' });
    const state = await table.say('Replace two by 2 in a.ts');
    expect(turnsOf(state)[0]).toMatchObject({ outcome: 'correction-failed' });
    expect(turnsOf(state)[0]?.corrections).toHaveLength(3);
    expect(table.heard()).toHaveLength(5);
    expect(table.heard()[3]!.body).toHaveProperty('tools');
    expect(table.heard()[4]!.body).not.toHaveProperty('tools');
    expect((await table.types()).filter((type) => type === 'correction-failed')).toHaveLength(1);
    expect((await table.types()).filter((type) => type === 'calls-started')).toHaveLength(4);
  });
});

describe('what is asked', () => {
  const remove = { name: 'run_command', args: { command: 'rm -r build' } };

  it('dangerous: nothing is done before the person has agreed to exactly that, and a no is told', async () => {
    table = await openTable();
    table.write('build', 'x');
    table.talk({ calls: [remove] }, { text: 'I leave it.' });
    const waits = await table.say('Clean up');
    expect(waits.approvals).toMatchObject([
      { status: 'needed', subject: { action: { command: 'rm -r build' } } },
    ]);
    const [approval] = waits.approvals;
    await table.ask({
      type: 'approval-decided',
      approvalId: approval!.id,
      decision: 'deny',
      reason: 'I need it',
    });
    await table.go();
    expect(table.read('build')).toBe('x');
    expect(JSON.stringify(table.heard()[1]!.body)).toContain('I need it');
  });

  it('planner mode asks before the first change of a turn and not again; teacher asks each time', async () => {
    table = await openTable({ mode: 'planner' });
    table.write('a.ts', 'one two\n');
    table.talk({ calls: [editOf('one', '1'), editOf('two', '2')] }, { text: 'Done.' });
    const waits = await table.say('Digits, please');
    expect(waits.approvals).toMatchObject([{ status: 'needed', why: 'first-change' }]);
    await table.ask({ type: 'approval-decided', approvalId: waits.approvals[0]!.id, decision: 'approve' });
    expect((await table.go()).turn).toBeNull();
    expect(table.read('a.ts')).toBe('1 2\n');
    await table.ask({ type: 'options-requested', mode: 'teacher' });
    table.talk({ calls: [editOf('1', 'one'), editOf('2', 'two')] }, { text: 'Done.' });
    let state = await table.say('And back');
    for (const decision of ['did-it', 'approve'] as const) {
      const open = state.approvals.find(({ status }) => status === 'needed');
      expect(open).toMatchObject({ why: 'teacher' });
      await table.ask({ type: 'approval-decided', approvalId: open!.id, decision });
      state = await table.go();
    }
    expect(state.turn).toBeNull();
    expect(table.read('a.ts')).toBe('1 two\n');
  });

  it('the model asks the person, and goes on with the answer', async () => {
    table = await openTable();
    table.talk({ calls: [{ name: 'ask_user', args: { question: 'Which port?' } }] }, { text: 'Port 80.' });
    const waits = await table.say('Set the port');
    expect(waits.question).toMatchObject({ text: 'Which port?' });
    await table.ask({ type: 'answer-given', callId: waits.question!.callId, value: 'eighty' });
    expect((await table.go()).turn).toBeNull();
    expect(JSON.stringify(table.heard()[1]!.body)).toContain('eighty');
  });
});

it('undo takes back the files of a turn and what was said in it, and spares what was changed since', async () => {
  table = await openTable();
  table.write('a.ts', 'one\n');
  table.talk({ calls: [editOf('one', '1')] }, { text: 'Done.' });
  await table.say('Make it a digit');
  table.talk(
    { calls: [{ name: 'write_file', args: { path: 'b.ts', content: 'new\n' } }] },
    { text: 'Written.' },
  );
  await table.say('Write b.ts');
  await table.ask({ type: 'undo-requested', turn: 1 });
  const state = await table.go();
  expect([table.read('a.ts'), table.read('b.ts')]).toEqual(['one\n', null]);
  expect(turnsOf(state)).toEqual([]);
  table.talk({ text: 'Hello.' });
  await table.say('hello');
  expect(JSON.stringify(table.heard().at(-1)!.body)).not.toContain('Make it a digit');
});

it('undo of a message takes back what its plan did', async () => {
  table = await openTable();
  table.plan.steps = ['RUN_COMMAND echo planned > planned.txt', 'WRITE_FILE b.txt "b"'];
  await table.say(complex);
  const run = `${table.chat}p1`;
  const { plan } = await table.app.runs.state(run);
  const approve = { type: 'plan-decided', revision: plan!.revision, decision: 'all' } as const;
  await table.app.runs.request(run, approve, { by });
  await table.go();
  expect([table.read('planned.txt'), table.read('b.txt')]).toEqual(['planned\n', 'b']);
  await table.ask({ type: 'undo-requested' });
  const state = await table.go();
  expect([table.read('planned.txt'), table.read('b.txt')]).toEqual([null, null]);
  expect(turnsOf(state)).toEqual([]);
});

it('a file is written with the folders above it, and undo takes both back', async () => {
  table = await openTable();
  const write = { name: 'write_file', args: { path: 'src/deep/a.ts', content: 'a\n' } };
  table.talk({ calls: [write] }, { text: 'Written.' });
  await table.say('Write it');
  expect(table.read('src/deep/a.ts')).toBe('a\n');
  const prepared = (await table.events()).find(({ type }) => type === 'change-prepared');
  expect(prepared).toMatchObject({
    changes: ['src', 'src/deep', 'src/deep/a.ts'].map((name) => ({
      path: `${table.workspace}/${name}`,
      before: 'absent',
    })),
  });
  await table.ask({ type: 'undo-requested' });
  await table.go();
  expect(table.read('src')).toBeNull();
});

it('money: a conversation sends nothing past its limit, and says so', async () => {
  table = await openTable({}, { PLANWRIGHT_LIMITS_TOKENS: '10' });
  const state = await table.say('hello');
  expect(turnsOf(state)[0]).toMatchObject({ outcome: 'limit' });
  expect(table.server.requests).toEqual([]);
});

it('without a model: it says so in one line, offers what works, runs a command and explains its failure by rule', async () => {
  table = await openTable(
    {},
    {
      PLANWRIGHT_MODELS_URL: '',
      PLANWRIGHT_MODELS_CHAT: '',
      PLANWRIGHT_MODELS_PLANNER: '',
      PLANWRIGHT_MODELS_FAST: '',
    },
  );
  const [turn] = turnsOf(await table.say('back up this folder'));
  expect(turn).toMatchObject({ outcome: 'no-model' });
  expect(turn?.rounds.at(-1)?.text).toMatch(/^There is no model to talk to[\s\S]*planwright templates/);
  const command = turnsOf(await table.say('!git comit -m x'))[1];
  expect(command).toMatchObject({ outcome: 'answered', isCommand: true });
  expect(command?.rounds.at(-1)?.text).toMatch(/commit/);
});
