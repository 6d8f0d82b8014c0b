import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient, type RunEvent, type RunState } from '../../src/core/contract/index.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { eventually, type Running } from '../support/processes.ts';
import { BIN } from '../support/program.ts';

/*
 * Plans that set something going which then decides for the person. One server and one store for all: the server drives the
 * runs, so whatever is decided has somebody who goes on with it.
 */

const token = 'a-token-that-a-step-has-somehow-got-hold-of';
let bench: Bench;
let serving: Running;
let url: string;
let client: Client;

beforeAll(async () => {
  bench = openBench();
  serving = bench.start(['serve', '--no-open', '--port', '0'], { PLANWRIGHT_TOKEN: token });
  await serving.says('\n');
  ({ url } = JSON.parse(readFileSync(`${bench.home}/data/server.json`, 'utf8')));
  client = createClient({ baseUrl: url, fetch, token });
  bench.write('pw', `PLANWRIGHT_HOME='${bench.home}' exec '${process.execPath}' '${BIN}' "$@"\n`);
});
afterAll(async () => {
  serving?.child.kill('SIGKILL');
  await serving?.ended;
  bench.clean();
});

/** `NAME.sh` waits for the word of the test, tries, and leaves what it was told. */
function scriptOf(name: string, command: string): string {
  return bench.write(
    `${name}.sh`,
    `until test -f ${name}.go; do sleep 0.1; done\n{ ${command}; } >${name}.said 2>&1\necho $? >${name}.part\nmv ${name}.part ${name}.code\n`,
  );
}

const waitsFor = async (id: string): Promise<string | null> => {
  const { state } = await client.getRun(id);
  return (state as RunState).approvals.find(({ status }) => status === 'needed')?.stepId ?? null;
};

/**
 * Runs a plan whose first step is this action and whose second is dangerous. When that one is asked about, what the first
 * has started may try; then the run still waits.
 */
async function attempt(name: string, action: string) {
  mkdirSync(bench.path(`keep-${name}`));
  const steps = [
    { step: 'Begin', action },
    { step: 'Delete', action: `RUN_COMMAND rm -rf keep-${name}` },
  ];
  const source = { text: JSON.stringify({ goal: name, plan: steps }), kind: 'plan' as const };
  const { id } = await client.createRun({ source, agreed: true });
  await eventually(async () => {
    const step = await waitsFor(id);
    if (step === 's1')
      await client.request(id, { type: 'approval-decided', approvalId: 's1.1', decision: 'approve' }, name);
    return step === 's2';
  }, `${name} asks`);
  bench.write(`${name}.go`, '');
  await eventually(() => existsSync(bench.path(`${name}.code`)), `${name} has tried`);
  expect(await waitsFor(id)).toBe('s2');
  expect(existsSync(bench.path(`keep-${name}`))).toBe(true);
  const { events } = await client.getEvents(id, { limit: 500 });
  await client.request(id, { type: 'cancel-requested' });
  return {
    id,
    refused: events.map(({ event }) => event).filter(isRefused),
    said: readFileSync(bench.path(`${name}.said`), 'utf8'),
    code: readFileSync(bench.path(`${name}.code`), 'utf8').trim(),
  };
}

type Refused = Extract<RunEvent, { type: 'refused-at-door' }>;
const isRefused = (event: RunEvent): event is Refused => event.type === 'refused-at-door';
const approve = 'bash pw approve "$PLANWRIGHT_RUN"';

describe('a plan does not approve itself, and the journal says that it tried', () => {
  const command: [name: string, tries: string, begins: (script: string) => string][] = [
    ['script', approve, (script) => `bash -c 'bash ${script} &'`],
    ['service', 'bash pw approve "${PLANWRIGHT_SERVICE%%:*}"', (script) => `START self bash ${script} KEEP`],
    ['background', approve, (script) => `bash ${script} &`],
    ['xargs', 'echo "approve $PLANWRIGHT_RUN" | xargs bash pw', (script) => `bash ${script} &`],
    ['forked', approve, (script) => `bash -c 'setsid nohup bash ${script} </dev/null &'`],
    ['terminal', 'script -qec "bash pw approve $PLANWRIGHT_RUN" /dev/null', (script) => `bash ${script} &`],
    ['unmarked', 'env -i bash pw approve "$PLANWRIGHT_RUN"', (script) => `bash ${script} &`],
  ];
  it.each(command)('%s', async (name, tries, begins) => {
    const line = begins(scriptOf(name, tries));
    // A script of its own: what it does is not for the classifier to find.
    const action = line.startsWith('START')
      ? line
      : `RUN_COMMAND bash ${bench.write(`begin-${name}.sh`, line)}`;
    const { id, refused, said, code } = await attempt(name, action);
    expect(code).toBe(name === 'xargs' ? '123' : '2');
    expect(said).toContain(`a process that run ${id} started`);
    expect(refused).toMatchObject([
      {
        asked: 'approval-decided',
        from: { run: id, ...(name === 'service' ? { service: 'self' } : { step: 's1' }) },
        by: { person: expect.stringContaining(`a process that run ${id} started`) },
      },
    ]);
  });

  it('curl, with the token itself', async () => {
    const body = `{"request":{"type":"approval-decided","approvalId":"s2.1","decision":"approve"}}`;
    const send = (path: string, data: string, method = 'POST') =>
      `curl -sS -X ${method} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '${data}' ${url}/api${path}`;
    const script = scriptOf(
      'curl',
      [
        send('/runs/$PLANWRIGHT_RUN/requests', body),
        // A loop fills no journal.
        send('/runs/$PLANWRIGHT_RUN/requests', body),
        // Whoever began the run is the server; a step of it is not.
        send('/runs/$PLANWRIGHT_RUN/requests', '{"request":{"type":"cancel-requested"}}'),
        send('/trust', `{"folder":"${bench.workspace}","trusted":true}`),
        send('/config', '{"set":{"mode":"agentic"}}', 'PUT'),
        send('/rules', '{"text":"rules: []"}', 'PUT'),
        send('/addresses', '{}'),
        `curl -sS '${url}/?token=${token}'`,
        `curl -sS -o /dev/null -w %{http_code} -H 'authorization: Bearer ${token}' ${url}/api/runs`,
      ].join('; '),
    );
    bench.write('begin-curl.sh', `bash ${script} &`);
    const { refused, said } = await attempt('curl', 'RUN_COMMAND bash begin-curl.sh');
    expect(said.match(/"code":"not-allowed"/g)).toHaveLength(8);
    expect(said).toMatch(/200$/);
    expect(refused.map(({ asked }) => asked)).toEqual([
      'approval-decided',
      'cancel-requested',
      'changeTrust',
      'changeConfig',
      'replaceRules',
      'newAddress',
    ]);
    expect(await client.getTrust()).toEqual({ folders: [] });
    expect((await client.getConfig()).sources.mode).toBe('default');
  });
});

describe('nor does it change what Planwright obeys', () => {
  it('by trust, settings, rules, memory, or a request of another run', async () => {
    const other = await client.createRun({
      source: {
        text: JSON.stringify({ goal: 'other', plan: [{ step: 'x', action: 'RUN_COMMAND rm -rf x' }] }),
        kind: 'plan',
      },
      agreed: true,
    });
    await eventually(async () => (await waitsFor(other.id)) === 's1', 'the other asks');
    const tries = [
      'trust .',
      'config set mode agentic',
      'config unset mode',
      'rules remove x',
      'memory clear',
      'gc',
      'undo',
      `approve ${other.id}`,
      `cancel ${other.id}`,
      `resume ${other.id}`,
    ];
    const script = scriptOf('widening', tries.map((words) => `bash pw ${words}; echo "[$?]"`).join('; '));
    bench.write('begin-widening.sh', `bash ${script} &`);
    const { id, refused, said } = await attempt('widening', 'RUN_COMMAND bash begin-widening.sh');
    expect(said.match(/^\[2\]$/gm)).toHaveLength(tries.length);
    expect(refused.map(({ asked }) => asked)).toEqual([
      'trust',
      'config set',
      'config unset',
      'rules remove',
      'memory clear',
      'gc',
      'undo',
    ]);
    const { events } = await client.getEvents(other.id, { limit: 100 });
    expect(events.map(({ event }) => event).filter(isRefused)).toMatchObject([
      { asked: 'approval-decided', from: { run: id } },
      { asked: 'cancel-requested', from: { run: id } },
      { asked: 'resume-requested', from: { run: id } },
    ]);
    expect(await waitsFor(other.id)).toBe('s1');
    expect(await client.getTrust()).toEqual({ folders: [] });
  });

  it('by a run of its own: that one starts, and nothing dangerous in it is allowed, whatever rules it brings', async () => {
    const inner = bench.write(
      'inner.yaml',
      'goal: inner\nplan:\n- step: x\n  action: RUN_COMMAND rm -rf inner\n',
    );
    mkdirSync(bench.path('inner'));
    const rules = bench.write('allow.yaml', 'rules:\n- effect: allow\n  command: rm -rf inner\n');
    const script = scriptOf('nested', `bash pw run ${inner} --yes --rules ${rules}`);
    bench.write('begin-nested.sh', `bash ${script} &`);
    const { said, code } = await attempt('nested', 'RUN_COMMAND bash begin-nested.sh');
    expect([code, said]).toEqual(['3', expect.stringContaining('needs approval')]);
    expect(existsSync(bench.path('inner'))).toBe(true);
  });
});

it('a script that writes what Planwright obeys changes nothing for the next run, which says so', async () => {
  const own = openBench({ here: true });
  onTestFinished(() => own.clean());
  mkdirSync(own.path('keep'));
  const rules = 'rules:\n- {effect: allow, command: rm -rf keep}\n';
  own.write('rules', rules);
  own.write(
    'widen.sh',
    `mkdir -p .planwright; cp rules .planwright/rules.yaml; cp rules .planwright/rules.local.yaml; cp rules '${own.home}/rules.yaml'; echo '["${own.workspace}"]' >'${own.home}/trusted.json'; echo 'on-ask: park' >'${own.home}/config.yaml'\n`,
  );
  own.write('widen.yaml', planOf('bash widen.sh'));
  own.write('delete.yaml', planOf('rm -rf keep'));
  expect((await own.run(['run', 'widen.yaml', '--yes'])).code).toBe(0);
  const next = await own.run(['run', 'delete.yaml', '--yes']);
  expect(next).toMatchObject({ code: 3, stderr: expect.stringContaining('nobody has agreed to that') });
  expect(existsSync(own.path('keep'))).toBe(true);
  expect(JSON.parse((await own.run(['runs', '--json'])).stdout)[0]).toMatchObject({ state: 'paused' });
  expect((await own.run(['trust', '--own'])).code).toBe(0);
  expect(await own.run(['run', 'delete.yaml', '--yes'])).toMatchObject({ code: 0 });
});

it('nothing that is kept or that the server shows of itself opens anything', () => {
  const { pid } = serving.child;
  const shown = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
  const kept = readdirSync(`${bench.home}/data`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(`${bench.home}/data/${name}`, 'latin1'));
  expect(kept.length).toBeGreaterThan(0);
  for (const text of [...shown, ...kept]) expect(text).not.toContain(token);
  expect(shown[0]).not.toContain('PLANWRIGHT_TOKEN');
  // What was handed over is gone.
  const [, handed] = /PLANWRIGHT_HANDED=([^\0]+)/.exec(shown[0]!)!;
  expect(existsSync(handed!)).toBe(false);
});
