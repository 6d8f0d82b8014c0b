import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageCaches } from '../../src/world/process/index.ts';
import { sandboxMaker } from '../../src/world/process/sandbox/probe.ts';
import { describeSandbox, makePlace } from './testing.ts';

const maker = await sandboxMaker();

describeSandbox('package caches', () => {
  const { home, run, write, policy } = makePlace();
  const index = write('home/.npm/_cacache/index', 'old\n');

  test('can be written, and the real ones stay as they are', async () => {
    const script = `echo new >> ${index}; rm -f ${index}.none; mkdir -p ${home}/.npm/_logs && touch ${home}/.npm/_logs/now && ls ${home}/.npm/_logs`;
    expect(await run(script)).toMatchObject({ exitCode: 0, stdout: 'now\n' });
    expect(await run(`rm -rf ${home}/.npm/_cacache`)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(index, 'utf8')).toBe('old\n');
    expect(existsSync(join(home, '.npm/_logs'))).toBe(false);
  });

  test.runIf(maker.works && maker.host.overlays)('show what the real ones hold', async () => {
    expect((await run(`echo new >> ${index}; cat ${index}`)).stdout).toBe('old\nnew\n');
  });

  test('that cannot be overlays are empty, and can be written', async () => {
    const odd = write('home/odd, cache/file', 'old');
    const sandbox = { ...policy(), caches: [join(home, 'odd, cache')] };
    const { stdout } = await run(`cd '${home}/odd, cache' && ls; echo new > file; cat file`, {}, { sandbox });
    expect(stdout).toBe('new\n');
    expect(readFileSync(odd, 'utf8')).toBe('old');
  });

  test('are found where the environment says', () => {
    expect(packageCaches('/h')).toContain('/h/.npm');
    const named = packageCaches('/h', { npm_config_cache: '/n', CARGO_HOME: '/c', XDG_CACHE_HOME: '/x' });
    expect(named).toEqual(expect.arrayContaining(['/n', '/c/registry', '/x/pip', '/h/go/pkg/mod']));
  });
});
