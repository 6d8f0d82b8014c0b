import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { runScript } from '../../src/world/process/testing.ts';
import { describeSandbox, makePlace } from './testing.ts';

async function serve(text: string): Promise<number> {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  afterAll(() => server.close());
  return (server.address() as AddressInfo).port;
}

describeSandbox('a sandbox with a way to a port of this machine', () => {
  const place = makePlace();
  const run = (script: string, loopback: number[]) =>
    runScript(script, {
      sandbox: { ...place.policy(), loopback },
      session: { cwd: place.workspace, env: {} },
    });

  it('reaches that port, all of what it says and hears, and no other', async () => {
    const [own, other] = [await serve('x'.repeat(300_000)), await serve('secret')];
    const ran = await run(
      `curl -sS http://127.0.0.1:${own}/ | wc -c; curl -sS http://127.0.0.1:${other}/; echo $?`,
      [own],
    );
    expect(ran.stdout).toContain('300000');
    expect(ran.stdout).not.toContain('secret');
    expect(ran.stdout).toMatch(/^7$/m);
  });

  it('keeps its exit code, its session and its descriptors, and leaves nothing behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('planwright-loopback-'));
    const ran = await run('export A=1; ls /proc/self/fd | wc -l; exit 3', [await serve('x')]);
    const plain = await runScript('ls /proc/self/fd | wc -l', {
      sandbox: place.policy(),
      session: { cwd: place.workspace, env: {} },
    });
    expect(ran).toMatchObject({ exitCode: 3 });
    expect(ran.stdout).toBe(plain.stdout);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('planwright-loopback-'));
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });
});
