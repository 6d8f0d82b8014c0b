import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { helperEnvironment } from './environment.ts';
import { bootId, hostHere, processStartTime } from './identity.ts';
import { noteGroup } from './ledger.ts';
import { noteAgent, startedBy } from './lineage.ts';
import { inodesOf, peerOf } from './sockets.ts';

const ledger = mkdtempSync(join(tmpdir(), 'planwright-ledger-'));
afterAll(() => rmSync(ledger, { recursive: true, force: true }));

const PATH = process.env['PATH'];

/** Starts a script that ends by printing the pid of a process that stays; resolves with that one. */
async function staying(script: string, env: NodeJS.ProcessEnv = { PATH }, detached = false) {
  const child: ChildProcess = spawn('bash', ['-c', script], {
    env,
    detached,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  const [pid = 0, second = 0] = said.toString().split(' ').map(Number);
  onTestFinished(() => {
    for (const each of [pid, second, child.pid!].filter((one) => one > 0)) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  });
  return { pid, second, leader: child.pid! };
}

const group = (pgid: number, startTime = processStartTime(pgid)!) => ({
  pgid,
  startTime,
  host: hostHere(),
  boot: bootId(),
});

test('somebody whom no run started is nobody', async () => {
  const { pid } = await staying('echo $$; read -r _');
  expect(startedBy(pid, ledger)).toBe(null);
  expect(startedBy(process.pid, ledger)).toBe(null);
});

test.each([
  ['a step', { PLANWRIGHT_RUN: 'r1', PLANWRIGHT_STEP: 's1' }, { run: 'r1', step: 's1' }],
  ['a kept service', { PLANWRIGHT_SERVICE: 'r1:web' }, { run: 'r1', service: 'web' }],
  ["a brain's program", helperEnvironment({}, 'r1'), { run: 'r1' }],
  ['git beside a run', helperEnvironment({}), { run: null }],
])('%s is known by its marker, and so are its children', async (_, marker, from) => {
  const env = { PATH, ...marker };
  const { pid } = await staying("setsid bash -c 'echo $$; exec sleep 60' & wait", env);
  expect(startedBy(pid, ledger)).toEqual({ ...from, pid });
  const bare = await staying("env -i bash -c 'echo $$; read -r _'; :", env);
  expect(startedBy(bare.pid, ledger)).toEqual({ ...from, pid: bare.pid });
});

test('one that cleared its environment and lost its parent is known by the group or the session that was noted', async () => {
  // set -m: a group of its own, in the session of its leader.
  const { pid, leader } = await staying(
    "set -m; (bash -c 'echo $$; exec sleep 60' &) ; read -r _",
    { PATH },
    true,
  );
  expect(startedBy(pid, ledger)).toBe(null);
  noteGroup(ledger, group(leader), { run: 'r2', step: 's3' });
  expect(startedBy(pid, ledger)).toEqual({ run: 'r2', step: 's3', pid });
});

test('a number that has been given to somebody else since accuses nobody', async () => {
  const { pid } = await staying('echo $$; read -r _', { PATH }, true);
  noteGroup(ledger, group(pid, 'another time'), { run: 'r2', step: 's3' });
  expect(startedBy(pid, ledger)).toBe(null);
  noteGroup(ledger, { ...group(pid), boot: 'another boot' }, { run: 'r2', step: 's3' });
  expect(startedBy(pid, ledger)).toBe(null);
});

/** An agent (`bash`), the line of its hook below it, and beside that what else it has started. */
const agentWithHook = () =>
  staying(
    `exec 3<&0; sh -c 'read -r _ <&3' planwright-guard node guard hook claude-code --checkpoints=auto & H=$!; sh -c 'read -r _ <&3' & echo $H $!; wait`,
    { PATH },
    true,
  );

test.runIf(process.platform === 'linux')(
  'an agent that asks the guard is noted, and whoever descends from it is known, but not the person beside it',
  async () => {
    const own = mkdtempSync(join(tmpdir(), 'planwright-ledger-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    const { pid: hook, second, leader } = await agentWithHook();
    const lost = await staying("setsid bash -c 'echo $$; exec sleep 60' & exit", { PATH, CLAUDECODE: '1' });
    expect(startedBy(second, own)).toBe(null);
    noteAgent(own, 'claude-code', hook);
    expect(startedBy(second, own)).toEqual({ run: null, agent: 'claude-code', pid: second });
    expect(startedBy(leader, own)).toMatchObject({ agent: 'claude-code' });
    expect(startedBy(process.pid, own)).toBe(null);
    // One that lost its parent and its session still carries the agent's variable.
    expect(startedBy(lost.pid, own)).toMatchObject({ agent: 'claude-code' });
    expect(startedBy(lost.pid, ledger)).toBe(null);
  },
);

test.runIf(process.platform === 'linux')("an agent that a run has started stays the run's", async () => {
  const { pid: hook, second, leader } = await agentWithHook();
  noteGroup(ledger, group(leader), { run: 'r4', step: 's1' });
  noteAgent(ledger, 'claude-code', hook);
  expect(startedBy(second, ledger)).toMatchObject({ run: 'r4', step: 's1' });
});

test.runIf(process.platform === 'linux')('who is at the other end of a connection', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const { pid } = await staying(`exec 5<>/dev/tcp/127.0.0.1/${port}; echo $$; read -r _`);
  const [socket] = await connected;
  onTestFinished(() => void socket.destroy());
  expect(peerOf(socket.remotePort!, port)).toEqual({ pids: [pid], hidden: [] });
  expect(peerOf(port, 1)).toBe(null);
});

test('a row of the table of sockets is found by both ports', () => {
  const row = '  12: 0100007F:C001 0100007F:128B 01 00000000:00000000 00:00000000 00000000  1000  0 4711 1';
  expect(inodesOf(`  sl local_address rem_address\n${row}`, 0xc001, 0x128b)).toEqual(['4711']);
  expect(inodesOf(row, 0x128b, 0xc001)).toEqual([]);
});
