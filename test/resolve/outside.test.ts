import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorld, type World } from './place.ts';

/** A world whose temporary folder is not the one that it lies in itself. */
function world(env: Record<string, string> = {}): World {
  const made = makeWorld({ TMPDIR: '/nowhere/tmp', ...env });
  mkdirSync(join(made.root, 'outside'));
  writeFileSync(join(made.root, 'outside/f'), 'theirs');
  return made;
}
const rules = async (made: World, command: string, since?: number): Promise<string[]> => {
  const verdict = await made.judge(command, since === undefined ? {} : { since });
  const found = verdict.reasons.filter(({ level }) => level === 'dangerous').map(({ rule }) => rule);
  return [...new Set(found)];
};

describe('outside the workspace, as it is on the disk', () => {
  it.each([
    'echo x > link/f',
    'cp a link/f',
    'cp a l*/f',
    'mv a link',
    'tee "$OUT" < a',
    'cd link && touch g',
    'tar -xf a.tar -C link',
    "bash -c 'echo x > link/f'",
    'git -C link commit -m x',
    'chmod 600 link/f',
    'sed -i s/a/b/ file-link',
    'git clone https://e.example/x.git link/x',
  ])('%s asks', async (command) => {
    const made = world();
    made.files('a');
    symlinkSync('../outside', join(made.workspace, 'link'));
    symlinkSync('../outside/f', join(made.workspace, 'file-link'));
    made.place.session.env['OUT'] = join(made.root, 'outside/f');
    const found = await made.judge(command, { since: Date.now() });
    expect(found.level, JSON.stringify(found.reasons)).toBe('dangerous');
  });

  it.each(['echo x > in/f', 'cp link/f a', 'cat file-link', 'cd link && ls', 'mv a in/b'])(
    '%s does not',
    async (command) => {
      const made = world();
      made.files('a', 'in/f');
      symlinkSync('../outside', join(made.workspace, 'link'));
      symlinkSync('../outside/f', join(made.workspace, 'file-link'));
      expect(await rules(made, command, Date.now())).toEqual([]);
    },
  );
});

describe('the temporary folder', () => {
  it('what is made there, or was made since the run began, is its own; what was there before asks', async () => {
    const made = makeWorld();
    made.place.session.env['TMPDIR'] = join(made.root, 'tmp');
    mkdirSync(join(made.root, 'tmp'));
    writeFileSync(join(made.root, 'tmp/old'), 'theirs');
    expect(await rules(made, 'echo x > "$TMPDIR/new"', Date.now() + 1e6)).toEqual([]);
    expect(await rules(made, 'echo x > "$TMPDIR/old"', Date.now() - 1e6)).toEqual([]);
    expect(await rules(made, 'echo x > "$TMPDIR/old"', Date.now() + 1e6)).toEqual(['temporary-kept']);
    expect(await rules(made, 'cp a "$TMPDIR/old"')).toEqual(['temporary-kept']);
    expect(await rules(made, 'cat "$TMPDIR/old"')).toEqual([]);
  });
});

describe('what no checkpoint keeps', () => {
  it('a file over the limit asks where it is named, but not where its tool makes it again', async () => {
    const made = world();
    made.files('big.bin', 'target/big.bin', 'small.bin');
    for (const file of ['big.bin', 'target/big.bin']) truncateSync(join(made.workspace, file), 100_000_001);
    expect(await rules(made, 'echo x > big.bin')).toEqual(['too-large-to-keep']);
    expect(await rules(made, 'cp small.bin b*.bin')).toEqual(['too-large-to-keep']);
    expect(await rules(made, 'echo x > target/big.bin')).toEqual([]);
    expect(await rules(made, 'echo x > small.bin')).toEqual([]);
  });

  it('a repository of its own in the workspace asks where its files are overwritten', async () => {
    const made = world();
    made.files('.git/HEAD', 'lib/.git/HEAD', 'lib/src/f', 'f');
    expect(await rules(made, 'echo x > lib/src/f')).toEqual(['nested-repository']);
    expect(await rules(made, 'echo x > lib/src/g')).toEqual([]);
    expect(await rules(made, 'echo x > f')).toEqual([]);
  });
});

describe('packages of a language', () => {
  it.each([
    ['pip install x', {}, ['user-wide']],
    ['python3 -m pip install x', {}, ['user-wide']],
    ['pip install x', { VIRTUAL_ENV: '/w/.venv' }, []],
    ['source .venv/bin/activate && pip install x', {}, []],
    ['.venv/bin/pip install x', {}, []],
    ['pip install x', { PATH: '/w/.venv/bin:/usr/bin' }, []],
    ['pip install --target lib x', {}, []],
    ['pip download x', {}, []],
  ])('%s with %j', async (command, env, expected) => {
    const found = await rules(world(env), command);
    expect(found.filter((rule) => rule === 'user-wide')).toEqual(expected);
  });
});
