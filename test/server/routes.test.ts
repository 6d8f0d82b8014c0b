import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { GuardState } from '../../src/core/contract/guard/index.ts';
import {
  type Client,
  fullRun,
  initialRunState,
  type NumberedEvent,
  type RunEvent,
  routes,
} from '../../src/core/contract/index.ts';
import { answerHook } from '../../src/doors/app/guard/hook.ts';
import { guardStream } from '../../src/doors/app/guard/journal.ts';
import { eventually } from '../support/processes.ts';
import { checkedClient, refusal } from './checked.ts';
import { serve, source, untilState } from './support.ts';

const decoder = new TextDecoder();

/** The first event of this kind, as it is written or has been. */
async function event<T extends RunEvent['type']>(client: Client, id: string, type: T, after = 0) {
  for await (const numbered of client.watchRun(id, { after })) {
    if (numbered.event.type === type) return numbered as NumberedEvent & { event: { type: T } };
  }
  throw new Error('the stream ended');
}

it('every route of the contract answers by its schema', async () => {
  const { url, workspace, home, errors, fetch } = await serve();
  const { client, called } = checkedClient(url);

  // Runs: made, listed, paged, found.
  const { id } = await client.createRun({ source: source('echo one', 'echo two'), agreed: true });
  expect(await untilState(client, id, 'done')).toMatchObject({ stepsDone: 2, workspace });
  const runbook = await client.createRun({
    source: { text: '# Clean up\n\n```sh\ntrue\n```\n', kind: 'runbook', name: 'ops.md' },
  });
  const shown = await client.getRun(runbook.id);
  expect(shown).toMatchObject({ row: { state: 'agreeing' }, state: { status: 'agreeing' } });
  expect(shown.seq).toBe(shown.state.seq);
  const { performed, context } = initialRunState;
  const look = await client.lookAtRun(runbook.id);
  expect({ ...look, state: fullRun(look.state) }).toEqual({
    ...shown,
    state: { ...shown.state, performed, context },
  });
  expect(shown.state.plan?.steps[0]?.source).toMatchObject({ file: 'ops.md', line: 3 });
  const plan = shown.state.plan!;
  const asData = await client.createRun({ source: { plan }, mode: 'teacher', key: 'the same key' });
  expect(await client.createRun({ source: { plan }, key: 'the same key' })).toEqual(asData);
  expect((await client.getRun(asData.id)).state.options?.mode).toBe('teacher');
  const first = await client.listRuns({ limit: 2 });
  expect(first.runs.map((row) => row.id)).toEqual([asData.id, runbook.id]);
  expect(await client.listRuns({ limit: 2, cursor: first.next! })).toMatchObject({
    runs: [{ id }],
    next: null,
  });
  expect((await client.listRuns({ state: 'done,failed' })).runs).toMatchObject([{ id }]);
  expect((await client.listRuns({ state: 'agreeing,waiting' })).runs).toHaveLength(2);
  expect((await client.listRuns({ text: 'echo two' })).runs).toMatchObject([{ id }]);
  expect((await client.listRuns({ workspace: '/elsewhere' })).runs).toEqual([]);

  // A run is a stream too.
  expect((await client.listStreams({ kind: 'run', state: 'done' })).streams).toMatchObject([{ id }]);
  const chat = await client.createChat({ mode: 'teacher' });
  expect((await client.lookAtChat(chat.id)).row).toMatchObject({ id: chat.id, turns: 0 });
  expect(await client.listTurns(chat.id, { from: 1, limit: 1 })).toMatchObject({ turns: [] });
  expect((await client.filesLike({ workspace, path: '' })).paths).toEqual(expect.any(Array));
  const { seq, row, state } = await client.getStream(runbook.id);
  expect({ id: runbook.id, seq, row, state }).toEqual(JSON.parse(JSON.stringify(shown)));
  expect(await client.getStreamEvents(id, {})).toEqual(await client.getEvents(id, {}));
  const misfit = { type: 'plan-decided', revision: 'none' };
  expect(await refusal(client.askOfStream(runbook.id, { request: misfit }))).toMatchObject({ status: 400 });
  const { last } = await client.getStreamEvents(runbook.id, {});
  expect(last).toBe(seq);
  const toTeacher = await client.askOfStream(runbook.id, {
    request: { type: 'mode-requested', mode: 'teacher' },
  });
  expect(toTeacher).toEqual({ seq: seq + 1 });
  const followed = await fetch(`/api/streams/${id}/stream`);
  expect(followed.headers.get('content-type')).toContain('text/event-stream');
  await followed.body!.cancel();
  called.add('followStream');

  // A task, from a repository to a branch that is ready.
  const repository = join(workspace, 'shop');
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: repository,
    });
  git('init', '--quiet', '-b', 'main');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  const settings = { name: 'shop', agents: { default: 'scripted:happy' } };
  const project = (await client.createProject({ path: repository, settings })).id;
  await client.changeProject(project, { settings: { ...settings, maxAgents: 2 } });
  expect((await client.listProjects()).projects).toMatchObject([
    { row: { id: project }, settings: { maxAgents: 2 } },
  ]);
  const task = (await client.createTask({ project, text: { title: 'Add a flag' } })).id;
  const nowhere = { type: 'move-requested', to: 'merged' };
  await client.askOfStream(task, { request: nowhere });
  await client.askOfStream(task, { request: { ...nowhere, to: 'implementing' } });
  await eventually(async () => (await client.lookAtTask(task)).row.state === 'ready', 'the task is ready');
  const ready = await client.lookAtTask(task);
  expect((await client.waiting()).tasks).toMatchObject([{ row: { id: task }, asks: 'Ready' }]);
  expect(ready.runs.map(({ mode, outcome }) => [mode, outcome])).toEqual([
    ['implement', 'pr_ready'],
    ['review', 'approved'],
  ]);
  expect(ready.ways.map(({ to }) => to)).toEqual(['changing', 'reviewing', 'closed']);
  expect((await client.diffTask(task)).files.map((file) => file.path)).toEqual(['done-by-script.txt']);
  const agentSaid = await fetch(`/api/agent-runs/${ready.runs[0]!.id}/attempts/1/output`);
  expect(await agentSaid.text()).toBe('Writing.\n');
  called.add('readAgentOutput');
  expect((await client.listTasks({ project })).tasks.map((row) => row.id)).toEqual([task]);
  await client.removeProject(project);
  expect((await client.listProjects()).projects).toEqual([]);

  expect((await client.search({ q: 'clean' })).hits.map((hit) => hit.row.id)).toEqual([
    asData.id,
    runbook.id,
  ]);
  expect((await client.search({ q: id.slice(0, 6) })).hits).toMatchObject([{ row: { id }, found: 'a plan' }]);

  // Events, output, forks.
  const page = await client.getEvents(id, { after: 1, limit: 2 });
  expect(page.events.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(page.last).toBe((await client.getRun(id)).seq);
  const output = await client.output(id, 's2', 0);
  expect({ ...output, bytes: decoder.decode(output.bytes) }).toEqual({
    bytes: 'two\n',
    next: 4,
    noted: 0,
    size: 4,
    ended: true,
  });
  expect(await client.outputErrors(id, 's2', '0')).toEqual({ ranges: [] });
  expect(decoder.decode((await client.output(id, 's2', 0, { offset: 1, limit: 2 })).bytes)).toBe('wo');
  expect(await client.callText(id, 'no-call')).toMatchObject({ size: 0, ended: false });
  const download = await fetch(new URL(client.outputUrl(id, 's1', 0)).pathname + '?download=1');
  expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${id}-s1-0.log"`);
  expect(await download.text()).toBe('one\n');
  const fork = await client.forkRun(id, { stepId: 's2' });
  expect((await client.getRun(fork.id)).state).toMatchObject({
    status: 'agreeing',
    steps: [{ status: 'skipped' }, { status: 'pending' }],
  });
  await client.executePlan(fork.id, 'agentic');
  expect(await untilState(client, fork.id, 'done')).toMatchObject({ stepsDone: 1, mode: 'agentic' });

  // A dangerous step is asked about; the question is listed, allowed from now on, and decided.
  writeFileSync(join(workspace, 'kept.txt'), 'kept');
  const danger = await client.createRun({ source: source('rm -rf kept.txt') });
  const preview = await client.previewRun(danger.id);
  expect(preview).toMatchObject({ revision: 0, steps: [{ verdict: { level: 'dangerous' } }] });
  await client.request(danger.id, { type: 'plan-decided', revision: 0, decision: 'all' });
  await untilState(client, danger.id, 'waiting');
  expect(await client.listServices()).toEqual({ services: [] });
  const item = (await client.waiting()).waiting.find(({ row }) => row.id === danger.id)!;
  expect(item).toMatchObject({ waitingFor: 'approval', stepId: 's1', stepTitle: 'Step 1' });
  const approvalId = item.approval!.id;
  const { sentence } = await client.allowHere({ stream: danger.id, approvalId });
  const rules = await client.getRules();
  if (rules.rules.length > 0) await client.removeRule(rules.rules[0]!.id);
  else expect(sentence).toMatch(/^No rule was made/);
  const asked = await client.request(
    danger.id,
    { type: 'approval-decided', approvalId, decision: 'deny', reason: 'not today' },
    'a key of its own',
  );
  expect(
    await client.request(
      danger.id,
      { type: 'approval-decided', approvalId, decision: 'deny' },
      'a key of its own',
    ),
  ).toEqual(asked);
  const denied = await event(client, danger.id, 'approval-denied');
  expect(denied.event).toMatchObject({ reason: 'not today', answers: asked.seq });
  expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe('kept');

  // A step fails, and what a brain would do about it is told; nothing is done.
  const typo = await client.createRun({ source: source('gerp kept kept.txt'), mode: 'planner' });
  await client.request(typo.id, { type: 'plan-decided', revision: 0, decision: 'all' });
  await untilState(client, typo.id, 'failed');
  expect(await client.adviseRun(typo.id)).toMatchObject({
    stepId: 's1',
    correction: { action: 'modify', modifiedCommand: 'grep kept kept.txt' },
  });

  // Plans and risk.
  expect(await client.validatePlan({ text: 'goal: x\nplan: []\n', kind: 'plan' })).toMatchObject({
    ok: false,
  });
  expect(await client.validatePlan(source('true'))).toMatchObject({ ok: true, plan: { goal: 'a plan' } });
  const { action } = plan.steps[0]!;
  const { lines } = await client.printActions({ actions: [action] });
  expect(await client.parseAction({ line: lines[0]! })).toEqual({ ok: true, action });
  expect(await client.parseAction({ line: 'DANCE' })).toMatchObject({ ok: false });
  expect(await client.explainRisk({ command: 'rm -rf /' })).toMatchObject({ verdict: { level: 'blocked' } });
  expect((await client.explainRisk({ command: 'ls -l' })).explanation.commands[0]).toMatchObject({
    name: 'ls',
  });

  // What is typed as a folder is that one or none; the plans that come along.
  expect(await client.typedFolder({ path: '.' })).toMatchObject({ folder: workspace, message: null });
  expect(await client.typedFolder({ path: 'kept.txt' })).toMatchObject({ folder: null });
  const elsewhere = await refusal(client.createRun({ source: source('true'), workspace: 'not/there' }));
  expect(elsewhere).toMatchObject({ status: 422, code: 'workspace-missing' });
  expect((await client.listTemplates()).templates.length).toBeGreaterThan(10);

  // Settings.
  expect((await client.getConfig()).sources.mode).toBe('default');
  const changed = await client.changeConfig({ set: { mode: 'teacher', 'step-timeout': 60 } });
  expect(changed).toMatchObject({
    values: { mode: 'teacher', 'step-timeout': 60 },
    sources: { mode: 'user' },
    workspace,
  });
  expect((await client.changeConfig({ unset: ['mode', 'step-timeout'] })).sources.mode).toBe('default');
  const text = 'rules:\n  - id: never\n    effect: deny\n    prefix: shutdown\n';
  expect(await client.replaceRules({ text })).toMatchObject({
    text,
    rules: [{ id: 'never', origin: 'user' }],
  });
  await client.removeRule('never');
  expect((await client.getRules({ workspace })).rules).toEqual([]);
  expect(await client.changeTrust({ folder: home, trusted: true })).toEqual({ folders: [home] });
  expect(await client.changeTrust({ folder: home, trusted: false })).toEqual(await client.getTrust());
  expect(Array.isArray((await client.getModels()).roles)).toBe(true);
  await client.changeConfig({ set: { 'models.url': 'http://127.0.0.1:9/v1' } });
  await client.setModelKey({ provider: 'compatible', key: 'sk-for-this-host-alone' });
  const keyFile = join(home, 'keys.json');
  expect(JSON.parse(readFileSync(keyFile, 'utf8'))).toEqual({
    'compatible@127.0.0.1:9': 'sk-for-this-host-alone',
  });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(await client.getModels())).not.toContain('sk-for-this-host');
  await client.changeConfig({ set: { 'models.url': 'http://127.0.0.1:10/v1' } });
  expect(readFileSync(keyFile, 'utf8')).not.toContain('sk-for-this-host');
  await client.changeConfig({ unset: ['models.url'] });
  expect(await refusal(client.setModelKey({ provider: 'nobody', key: 'x' }))).toMatchObject({ status: 404 });
  expect((await client.testModel({})).ok).toBe(false);
  expect((await client.getMemory()).fixes).toEqual([]);
  expect(await refusal(client.forget('none'))).toMatchObject({ status: 404 });
  expect((await client.newAddress()).address).toContain(`${url}/?token=`);

  // What a run changed, and taking it back.
  const made = await client.createRun({ source: source('echo new > made.txt'), agreed: true });
  await untilState(client, made.id, 'done');
  const again = await client.repeatRun(made.id);
  expect((await client.getRun(again.id)).row).toMatchObject({ repeats: { run: made.id }, state: 'agreeing' });
  expect((await client.planFile(again.id)).text).toContain('goal:');
  expect(await client.turnOfRun(again.id)).toEqual({ waitsFor: null, undrivenSince: null });
  await client.request(again.id, { type: 'cancel-requested' });
  const diff = await client.diffRun(made.id);
  expect(diff.files).toEqual([{ path: 'made.txt', kind: 'added' }]);
  expect(diff.text).toContain('+new');
  expect((await client.diffRun(made.id, { step: 's1' })).files).toHaveLength(1);
  const foreseen = await client.undoRun(made.id, { dryRun: true });
  const restored = [{ path: 'made.txt', kind: 'added' }];
  expect(foreseen).toMatchObject({ dryRun: true, restored, conflicts: [], run: null });
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
  const undone = await client.undoRun(made.id);
  expect(undone).toMatchObject({ restored, state: 'done' });
  const { links } = await client.relatedRuns(made.id);
  expect(links.map(({ how, row }) => [how, row.id])).toEqual([
    ['undone-by', undone.run],
    ['repeated-by', again.id],
  ]);
  expect((await client.relatedRuns(undone.run!)).links.map(({ how, row }) => [how, row.id])).toEqual([
    ['undoes', made.id],
  ]);
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  expect(await (await fetch('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  called.add('openApi');

  // What another agent did under the guard.
  const hook = { session_id: 's', cwd: workspace, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const told = JSON.stringify({ ...hook, tool_input: { command: 'rm -rf ../elsewhere' } });
  const env = { ...process.env, PLANWRIGHT_HOME: home };
  await answerHook({ agent: 'claude-code', text: told, env, checkpoints: 'off' });
  const session = guardStream('claude-code', 's');
  const { calls } = (await client.getStream(session)).state as unknown as GuardState;
  expect(await client.undoGuarded(session, { dryRun: true })).toMatchObject({ restored: [], run: null });
  expect((await client.allowGuarded(session, { verdict: calls[0]!.id })).message).toContain('rm');
  expect(await refusal(client.allowGuarded(id, { verdict: 'x' }))).toMatchObject({ status: 404 });

  // What begins by itself, and who there is to begin it.
  const nightly = (...commands: string[]) =>
    JSON.stringify({ goal: 'Nightly', plan: commands.map((run) => ({ step: run, run })) });
  writeFileSync(join(workspace, 'nightly.json'), nightly('true'));
  const schedule = (await client.createSchedule({ file: 'nightly.json', cron: '0 3 * * *', tz: 'UTC' })).id!;
  expect((await client.listSchedules()).schedules.map((row) => row.id)).toEqual([schedule]);
  writeFileSync(join(workspace, 'nightly.json'), nightly('true', 'echo more'));
  // A change is noticed when it is due.
  await client.askOfStream(schedule, { request: { type: 'run-requested' } });
  await eventually(async () => (await client.lookAtSchedule(schedule)).row.state === 'changed', 'a change');
  const { proposed, times } = await client.lookAtSchedule(schedule);
  expect(times.length).toBeGreaterThan(0);
  if (proposed?.ok !== true) throw new Error('what the file says now is not shown');
  expect(await refusal(client.agreeToSchedule(schedule, { hash: 'another' }))).toMatchObject({ status: 409 });
  expect(await client.agreeToSchedule(schedule, { hash: proposed.hash })).toBeDefined();
  await eventually(async () => (await client.lookAtSchedule(schedule)).proposed === null, 'an agreement');
  expect((await client.getFleet()).database).toBeNull();
  expect(await client.whoAmI()).toMatchObject({ scope: 'decide', role: 'admin' });

  // What has ended can be removed; whoever signs out ends their own cookie, and a program has none.
  expect(await client.removeRuns({ ids: [id, 'none'] })).toEqual({ removed: [id], stays: ['none'] });
  expect(await refusal(client.getRun(id))).toMatchObject({ status: 404 });
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  const { hash } = await client.keepPicture(chat.id, { name: 'p.png', data: png });
  called.add('viewPicture');
  expect((await fetch(`/api/chats/${chat.id}/pictures/${hash}`)).status).toBe(404);
  expect(await client.removeChat(chat.id)).toEqual({});
  expect(await client.signOut({})).toEqual({});

  expect([...called].sort()).toEqual(Object.keys(routes).sort());
  expect(errors).toEqual([]);
});

it('what a goal says of a template’s inputs need not be said again', async () => {
  const { client } = await serve();
  const { id } = await client.createRun({ source: { goal: 'back up this folder' } });
  const { state } = await client.getRun(id);
  expect(state.options?.inputs).toMatchObject({ folder: '.', into: 'backups' });
});

it('what does not fit is refused with a code and a sentence', async () => {
  const { client, errors } = await serve();
  const { id } = await client.createRun({ source: source('true') });
  const refusals = {
    run: await refusal(client.getRun('nothing')),
    events: await refusal(client.getEvents('nothing')),
    output: await refusal(client.output(id, 'nothing', 0)),
    attempt: await refusal(client.output(id, 's1', -1)),
    call: await refusal(client.callText(id, '../s1')),
    text: await refusal(client.callText('nothing', 'call')),
    step: await refusal(client.forkRun(id, { stepId: 'nothing' })),
    goal: await refusal(client.createRun({ source: { goal: 'compose a symphony of whales' } })),
    shell: await refusal(client.createRun({ source: { goal: 'find large files' }, shell: 'pwsh' })),
    agreed: await refusal(client.createRun({ source: { goal: 'do it' }, agreed: true })),
    plan: await refusal(client.createRun({ source: { text: 'goal: x', kind: 'plan' } })),
    folder: await refusal(client.createRun({ source: source('true'), workspace: '/no/such/folder' })),
    input: await refusal(
      client.createRun({
        source: {
          text: 'goal: x\ninputs: [{name: who}]\nplan: [{step: a, action: RUN_COMMAND true}]',
          kind: 'plan',
        },
      }),
    ),
    request: await refusal(client.request(id, { type: 'dance' } as never)),
    more: await refusal(client.request(id, { type: 'cancel-requested', extra: 1 } as never)),
    forged: await refusal(client.request(id, { type: 'plan-confirmed', revision: 0, answers: 1 } as never)),
    config: await refusal(client.changeConfig({ set: { mode: 'loud' as never } })),
    key: await refusal(client.changeConfig({ unset: ['moode'] })),
    rules: await refusal(client.replaceRules({ text: 'rules: [{effect: allow}]' })),
    rule: await refusal(client.removeRule('none')),
    cursor: await refusal(client.listRuns({ cursor: 'x' })),
    state: await refusal(client.listRuns({ state: 'asleep' })),
    limit: await refusal(client.listRuns({ limit: 1e6 })),
    stream: await refusal(client.watchRun('nothing')[Symbol.asyncIterator]().next()),
  };
  expect(refusals).toEqual({
    run: { status: 404, code: 'no-such-run' },
    events: { status: 404, code: 'no-such-run' },
    output: { status: 404, code: 'no-such-step' },
    attempt: { status: 400, code: 'invalid' },
    call: { status: 404, code: 'no-such-call' },
    text: { status: 404, code: 'no-such-run' },
    step: { status: 404, code: 'no-such-step' },
    goal: { status: 422, code: 'no-plan' },
    shell: { status: 422, code: 'no-plan' },
    agreed: { status: 400, code: 'not-agreed' },
    plan: { status: 422, code: 'plan-invalid' },
    folder: { status: 422, code: 'workspace-missing' },
    input: { status: 422, code: 'input-missing' },
    request: { status: 400, code: 'invalid' },
    more: { status: 400, code: 'invalid' },
    forged: { status: 400, code: 'invalid' },
    config: { status: 400, code: 'invalid' },
    key: { status: 422, code: 'config-invalid' },
    rules: { status: 422, code: 'config-invalid' },
    rule: { status: 404, code: 'no-such-rule' },
    cursor: { status: 400, code: 'invalid' },
    state: { status: 400, code: 'invalid' },
    limit: { status: 400, code: 'invalid' },
    stream: { status: 404, code: 'no-such-run' },
  });
  expect(errors).toEqual([]);
});
