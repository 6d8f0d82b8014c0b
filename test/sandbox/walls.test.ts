import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSandbox, makePlace, nodeInside } from './testing.ts';

describeSandbox('what is outside stays as it is', () => {
  const { folder, workspace, home, store, write, run, policy } = makePlace();
  const outside = write('outside/file', 'theirs');

  test('writing, removing and moving are refused', async () => {
    const { exitCode, stderr } = await run(
      `echo x > ${outside}; rm -f ${outside}; mv ${outside} ${outside}.old; touch ${folder}/new; chmod 777 ${folder}`,
    );
    expect(exitCode).toBe(1);
    expect(stderr.match(/Read-only file system/g)).toHaveLength(5);
    expect(readFileSync(outside, 'utf8')).toBe('theirs');
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  test('in the workspace everything can be written', async () => {
    const script = 'mkdir -p a/b && echo hello > a/b/c && mv a d && ln d/b/c e && chmod 600 e';
    expect(await run(script)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(workspace, 'd/b/c'), 'utf8')).toBe('hello\n');
  });

  test('a link that points outside leads to the same wall', async () => {
    symlinkSync(outside, join(workspace, 'link'));
    symlinkSync(folder, join(workspace, 'up'));
    const { stderr } = await run('echo x > link; touch up/new; ln -s /etc made; touch made/new');
    expect(stderr.match(/Read-only file system/g)).toHaveLength(3);
    expect(readFileSync(outside, 'utf8')).toBe('theirs');
  });

  test('a wall cannot be taken down from inside', async () => {
    const { stdout } = await run(
      `mount -o remount,rw / && echo down; umount ${store} && echo down; unshare -rm mount -o remount,bind,rw / && echo down
       mknod disk b 254 0 && echo down; touch ${folder}/new && echo down; true`,
    );
    expect(stdout).toBe('');
  });

  test('/tmp is private, and gone afterwards', async () => {
    const name = `/tmp/planwright-private-${process.pid}`;
    expect((await run(`touch ${name} && ls /tmp`)).stdout).toBe(`${name.slice(5)}\n`);
    expect(existsSync(name)).toBe(false);
  });

  test('processes outside are neither seen nor reached', async () => {
    expect(
      (await run(`kill -0 ${process.pid} || echo none; ls /proc | grep -cx ${process.pid}`)).stdout,
    ).toBe('none\n0\n');
  });

  test('there is no terminal to type into', async () => {
    expect((await run('exec 9<>/dev/tty')).stderr).toContain('No such device or address');
  });

  test('secrets of the home cannot be read, nor replaced', async () => {
    write('home/.ssh/id_ed25519', 'secret');
    write('home/.netrc', 'secret');
    write('home/.config/gh/hosts.yml', 'secret');
    write('home/.gitconfig', '[user]');
    const { stdout, stderr, exitCode } = await run(
      `cat ${home}/.gitconfig; ls -A ${home}/.ssh ${home}/.config/gh; cat ${home}/.netrc; grep -r secret ${home}; touch ${home}/.ssh/authorized_keys`,
    );
    expect(stdout).toBe(`[user]${home}/.config/gh:\n\n${home}/.ssh:\n`);
    expect(stderr).toContain('Read-only file system');
    expect(exitCode).toBe(1);
  });

  test('the store is not to be seen, even by a grant', async () => {
    write('store/journal.db', 'events');
    const script = `ls -A ${store}; touch ${store}/x`;
    expect(await run(script)).toMatchObject({ stdout: '', exitCode: 1 });
    expect(await run(script, { write: [store] })).toMatchObject({ stdout: '', exitCode: 1 });
    expect(await run(script, { write: [folder] })).toMatchObject({ stdout: '', exitCode: 1 });
    expect(existsSync(join(store, 'x'))).toBe(false);
  });

  test('nor is the configuration, wherever it lies', async () => {
    const usual = dirname(write('home/.config/planwright/rules.yaml', 'rules: []'));
    const other = dirname(write('etc/planwright/rules.yaml', 'rules: []'));
    for (const at of [usual, other]) {
      const script = `ls -A ${at}; touch ${at}/x`;
      for (const grant of [[], [at], [join(at, 'rules.yaml')], [dirname(at)], [folder]]) {
        const sandbox = { ...policy({ write: grant }), configDir: other };
        expect(await run(script, {}, { sandbox })).toMatchObject({ stdout: '', exitCode: 1 });
      }
      expect(existsSync(join(at, 'x'))).toBe(false);
    }
  });

  test('a variable that one command exports runs nothing outside for the next', async () => {
    const { session } = await run('export LD_PRELOAD=$PWD/none.so PATH=$PWD:$PATH');
    const { stderr } = await run('true', {}, { session: { cwd: workspace, env: session!.env } });
    // The loader complains inside, where env and bash are started, and not in sh or bwrap.
    expect(stderr.match(/none\.so/g)?.length).toBe(2);
  });

  test('an environment cannot smuggle in options', async () => {
    const session = { cwd: workspace, env: { A: `x\0--bind\0${folder}\0${folder}` } };
    await expect(run('true', {}, { session })).rejects.toThrow('null bytes');
  });

  test('a folder that the sandbox hides is said to be hidden', async () => {
    const session = { cwd: store, env: {} };
    await expect(run('true', {}, { session })).rejects.toThrow('hidden');
    await expect(run('true', {}, { sandbox: { ...policy(), workspace: '/nowhere' } })).rejects.toThrow(
      'does not exist',
    );
  });
});

describeSandbox('the network', () => {
  const { run } = makePlace();
  const connect = (port: number) => `exec 9<>/dev/tcp/127.0.0.1/${port} && echo connected`;

  test('is not there; loopback is the sandbox’s own', async () => {
    expect((await run('exec 9<>/dev/tcp/192.0.2.1/80')).stderr).toContain('Network is unreachable');
    const { stdout } = await run(
      `${nodeInside} -e 'const s = require("net").createServer((c) => c.end("hello")).listen(0, () => require("net").connect(s.address().port).on("data", (d) => { console.log(String(d)); s.close(); }))'`,
    );
    expect(stdout).toBe('hello\n');
  });

  test('of the machine is reached with the grant, and not without', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    expect((await run(connect(port))).stdout).toBe('');
    expect((await run(connect(port), { network: true })).stdout).toBe('connected\n');
    server.close();
  });
});

describeSandbox('a grant gives just that', () => {
  const { folder, home, write, run } = makePlace();
  write('one/file');
  write('two/file');
  write('home/.ssh/known_hosts', 'hosts');
  write('home/.ssh/id', 'secret');

  test('one folder, and not its neighbour', async () => {
    const { stderr } = await run(`touch ${folder}/one/new; touch ${folder}/two/new`, {
      write: [`${folder}/one`],
    });
    expect(existsSync(join(folder, 'one/new'))).toBe(true);
    expect(stderr).toBe(`touch: cannot touch '${folder}/two/new': Read-only file system\n`);
    expect((await run('exec 9<>/dev/tcp/192.0.2.1/80', { write: [`${folder}/one`] })).stderr).toContain(
      'unreachable',
    );
  });

  test('one secret file, and not the folder around it', async () => {
    const file = `${home}/.ssh/known_hosts`;
    expect((await run(`cat ${file}; ls -A ${home}/.ssh`, { write: [file] })).stdout).toBe(
      'hostsknown_hosts\n',
    );
  });

  test('a path that has become a link since is not what was granted', async () => {
    symlinkSync(join(folder, 'two'), join(folder, 'three'));
    expect((await run(`touch ${folder}/three/new`, { write: [`${folder}/three`] })).exitCode).toBe(1);
    expect(existsSync(join(folder, 'two/new'))).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)('privilege: root keeps its capabilities', async () => {
    const script = 'grep CapEff /proc/self/status';
    expect((await run(script)).stdout).toContain('00000000000000fb');
    expect((await run(script, { privilege: true })).stdout).not.toContain('00000000000000fb');
  });
});
