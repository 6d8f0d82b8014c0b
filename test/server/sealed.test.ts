import { describe, expect, it, onTestFinished } from 'vitest';
import type { Plan } from '../../src/core/contract/index.ts';
import { defaultOptions } from '../../src/core/contract/index.ts';
import { openApp } from '../../src/doors/app/app.ts';
import { someone } from '../support/someone.ts';
import { type Served, serve, tempFolder, untilState } from './support.ts';

/** Looks like nothing in particular: only the variable's name says that it is a secret. */
const SECRET = 'qZ8vX2pLr4Tn7Wk1';
const PIN = 'mB5wY9sHd3Kc6Jf2';

const plan: Plan = {
  goal: `Deploy with ${SECRET}`,
  shell: 'bash',
  revision: 0,
  inputs: [{ name: 'pin', secret: true }],
  steps: [
    {
      id: 's1',
      title: 'Serve',
      action: {
        kind: 'start',
        name: 'noise',
        command: 'echo "using $DEPLOY_TOKEN"; exec sleep 600',
        keep: false,
      },
    },
    {
      id: 's2',
      title: 'Note it',
      action: {
        kind: 'write-file',
        path: 'note.txt',
        content: `${SECRET} and ${PIN}`,
      },
    },
    { id: 's3', title: 'Read it', action: { kind: 'read-file', path: 'note.txt', as: 'note' } },
    { id: 's4', title: `Say ${SECRET}`, action: { kind: 'run-command', command: 'cat note.txt; exit 3' } },
  ],
};

async function everything({ client, fetch }: Served, id: string): Promise<Record<string, string>> {
  const output = async (step: string, query = '') =>
    (await fetch(`/api/runs/${id}/steps/${step}/attempts/0/output${query}`)).text();
  return {
    run: JSON.stringify(await client.getRun(id)),
    look: JSON.stringify(await client.lookAtRun(id)),
    events: JSON.stringify(await client.getEvents(id, {})),
    service: await output('s1', '?download=1'),
    part: await output('s1'),
    step: await output('s4'),
    advice: await (await fetch(`/api/runs/${id}/advice`)).text(),
    rows: JSON.stringify(await client.listRuns({})),
    streams: JSON.stringify(await client.listStreams({})),
    found: await (await fetch('/api/search?q=deploy')).text(),
  };
}

/** A run that was created and driven by a process that had the token, and that has failed since. */
async function failedRun(
  home: string,
  workspace: string,
  variables: Record<string, string>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home, ...variables };
  const app = await openApp({ env, cwd: workspace });
  try {
    const id = await app.runs.create({
      plan,
      workspace,
      options: { ...defaultOptions, inputs: { pin: PIN }, onAsk: 'fail' },
      agreed: someone,
    });
    const rested = await app.runs.drive(id);
    expect(rested.state).toMatchObject({ status: 'failed', values: { note: `${SECRET} and ${PIN}` } });
    return id;
  } finally {
    await app.close();
  }
}

describe('what must be hidden is known from the run', () => {
  it('a server that was started without the variable hides its value', async () => {
    const [home, workspace] = [tempFolder('home'), tempFolder('work')];
    const id = await failedRun(home, workspace, { DEPLOY_TOKEN: SECRET });
    const served = await serve({ home, workspace });
    const told = await everything(served, id);
    for (const [where, text] of Object.entries(told)) {
      expect(text, where).not.toContain(SECRET);
      expect(text, where).not.toContain(PIN);
    }
    expect(told['service']).toBe('using [secret]\n');
    expect(told['step']).toBe('[secret] and [secret]');
    expect(told['run']).toContain('"note":"[secret] and [secret]"');
    // Its service ends with it.
    await served.client.request(id, { type: 'cancel-requested' });
    await untilState(served.client, id, 'cancelled');
  });
});

describe('a driver with another environment', () => {
  it('says so, by names alone, and what it adds is hidden by whoever comes later', async () => {
    const [home, workspace] = [tempFolder('home'), tempFolder('work')];
    const first = await serve({ home, workspace, variables: { STAGE: 'one', GONE: 'x' } });
    const text = `goal: g\nplan:\n  - {step: go on, action: 'RUN_COMMAND printf %s "$LATE_TOKEN"', expects: stdout contains x}\n  - {step: keep, action: 'RUN_COMMAND true'}\n`;
    const { id } = await first.client.createRun({ source: { text, kind: 'plan' } });
    await untilState(first.client, id, 'agreeing');
    await first.stop();

    const second = await serve({ home, workspace, variables: { STAGE: 'two', LATE_TOKEN: SECRET } });
    await second.client.askOfRun(id, { request: { type: 'plan-decided', revision: 0, decision: 'all' } });
    await untilState(second.client, id, 'failed');
    await second.stop();

    const third = await serve({ home, workspace });
    const { events } = await third.client.getEvents(id, {});
    const differs = events.flatMap(({ event }) => (event.type === 'environment-differs' ? [event] : []));
    expect(differs).toMatchObject([{ added: ['LATE_TOKEN'], removed: ['GONE'], changed: ['STAGE'] }]);
    const exact = await third.app.runs.state(id);
    expect(third.app.redactorFor(exact).value(`it was ${SECRET}`)).toBe('it was [secret]');
    expect(JSON.stringify(exact)).not.toContain(SECRET);
  });

  it('says nothing where only the terminal is another one', async () => {
    const [home, workspace] = [tempFolder('home'), tempFolder('work')];
    const base = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home };
    const app = await openApp({ env: { ...base, COLUMNS: '80', SHLVL: '1' }, cwd: workspace });
    const options = { ...defaultOptions, mode: 'planner' as const };
    const one: Plan = { goal: 'g', shell: 'bash', revision: 0, steps: [plan.steps[1]!] };
    const id = await app.runs.create({ plan: one, workspace, options, agreed: someone });
    await app.close();
    const later = await openApp({
      env: { ...base, COLUMNS: '200', OLDPWD: '/x', PWD: '/y', PLANWRIGHT_LOG: 'z', _: '/bin/node' },
      cwd: workspace,
    });
    onTestFinished(() => later.close());
    expect((await later.runs.drive(id)).state.status).toBe('done');
    const types = (await later.streams.read(id, 0)).map(({ event }) => event.type);
    expect(types).toContain('driver-claimed');
    expect(types).not.toContain('environment-differs');
  });
});
