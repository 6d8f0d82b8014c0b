import { existsSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyDenial, type Denial, type SandboxGrants } from '../../src/world/process/index.ts';
import { describeSandbox, makePlace, nodeInside } from './testing.ts';

/** Whoever connects may be gone before the answer. */
const answers = (socket: Socket) => socket.on('error', () => {}).end('HTTP/1.0 200 OK\r\n\r\n');

describeSandbox('a denial names the grant with which the command succeeds', () => {
  const { folder, workspace, home, write, run, policy } = makePlace();

  /** Runs it, and again with exactly what was found missing. */
  async function denied(script: string): Promise<{ denial: Denial; again: number | null }> {
    const { exitCode, stderr, quietly } = await run(script);
    const denial = classifyDenial({ exitCode, stderrTail: stderr, policy: policy(), quietly, script });
    if (denial === null) throw new Error(`no denial in ${exitCode}: ${stderr}`);
    const { exitCode: again } = await run(script, denial.grant as SandboxGrants);
    return { denial, again };
  }

  test.each([
    ['touch', `touch ${folder}/outside/made-by-touch`],
    ['a redirection', `set -e; echo x > ${folder}/outside/made-by-bash`],
    ['cp', `touch a; cp a ${folder}/outside/`],
    ['mkdir -p', `mkdir -p ${folder}/outside/deep/er`],
    ['node', `${nodeInside} -e 'fs.writeFileSync("${folder}/outside/made-by-node", "")'`],
    ['a relative path', 'touch ../outside/relative'],
    ['sh', `sh -c 'echo x > ${folder}/outside/made-by-sh'`],
  ])('a write by %s', async (_, script) => {
    write('outside/file');
    expect(await denied(script)).toEqual({
      denial: expect.objectContaining({
        denied: 'write',
        grant: { write: [`${folder}/outside`] },
        sure: 'certain',
      }),
      again: 0,
    });
  });

  test('a port of this machine, though the program says nothing', async () => {
    const server = createServer(answers);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const quiet = `exec 3<>/dev/tcp/127.0.0.1/${port}`;
    const { denial, again } = await denied(`{ ${quiet}; } 2>/dev/null || exit 7`);
    expect([denial.grant, again]).toEqual([{ network: true }, 0]);
    server.close();
  });

  test('a file for others in the folder for all', async () => {
    const name = `/tmp/pw-for-others-${process.pid}`;
    const { denial, again } = await denied(`echo x > ${name}`);
    expect([denial.grant, again]).toEqual([{ write: ['/tmp'] }, 0]);
    expect(existsSync(name)).toBe(true);
    rmSync(name);
  });

  test('a hidden secret that is to be written', async () => {
    write('home/.ssh/id', 'secret');
    const { denial, again } = await denied(`echo host >> ${home}/.ssh/known_hosts`);
    expect([denial.grant, again]).toEqual([{ write: [`${home}/.ssh`] }, 0]);
  });

  test('a new repository, and its configuration', async () => {
    const { denial, again } = await denied('git init -q .');
    expect([denial.grant, again]).toEqual([{ write: [`${workspace}/.git`] }, 0]);
    expect(existsSync(join(workspace, '.git/HEAD'))).toBe(true);
    expect(await denied('git config user.name n')).toMatchObject({ denial: { denied: 'write' }, again: 0 });
  });

  test('a service of this machine', async () => {
    const server = createServer(answers).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const script = `${nodeInside} -e 'net.connect(${port}, "127.0.0.1")'`;
    expect(await denied(script)).toMatchObject({
      denial: { grant: { network: true }, sure: 'certain' },
      again: 0,
    });
    server.close();
  });

  const online = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));
  test.runIf(online)('a host, by address and by name', async () => {
    for (const [host, sure] of [
      ['192.0.2.77', 'certain'],
      ['planwright.invalid', 'likely'],
    ]) {
      const { exitCode, stderr } = await run(`exec 9<>/dev/tcp/${host}/80`);
      const denial = classifyDenial({ exitCode, stderrTail: stderr, policy: policy() });
      expect(denial).toMatchObject({ denied: 'network', grant: { network: true }, sure });
    }
  });

  test.runIf(process.getuid?.() === 0)('a privilege of root', async () => {
    expect(await denied('mount -t tmpfs tmpfs /mnt')).toMatchObject({
      denial: { denied: 'privilege', grant: { privilege: true }, sure: 'likely' },
      again: 0,
    });
  });

  test.each(['false', 'cat nothing', 'nosuchcommand', 'exec 9<>/dev/tcp/127.0.0.1/1', 'rmdir ..'])(
    'what fails outside too is none: %s',
    async (script) => {
      const { exitCode, stderr } = await run(script);
      expect(exitCode).not.toBe(0);
      expect(classifyDenial({ exitCode, stderrTail: stderr, policy: policy() })).toBeNull();
    },
  );
});
