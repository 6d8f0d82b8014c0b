import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isFullLength } from '../support/scale.ts';
import { makeWorld } from './place.ts';

const sentence = (verdict: { reasons: { rule: string; sentence: string }[] }): string =>
  verdict.reasons.find(({ rule }) => rule === 'resolved-paths')?.sentence ?? '';

const folders = isFullLength ? 99 : 9;

it(`${folders},000 files are counted, listed up to a bound, and one more or less is noticed`, async () => {
  const world = makeWorld();
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(join(world.workspace, `big/${folder}`), { recursive: true });
    for (let file = 0; file < 1000; file++) writeFileSync(join(world.workspace, `big/${folder}/${file}`), '');
  }
  // What is bound, on a machine however slow; where time runs out is another test's.
  const judge = (command: string, entries = 100_000) =>
    world.judge(command, { limits: { countMs: 60_000, entries } });
  const verdict = await judge('rm -rf big');
  const counted = `^Would touch ${folders},000 files and ${folders + 1} folders, (?:at least )?0 bytes, in big/\\.$`;
  expect(sentence(verdict)).toMatch(new RegExp(counted));
  expect(verdict.paths).toHaveLength(2001);
  expect(
    verdict.paths.filter((path) => path.includes(`… and ${folders * 1001 + 1 - 2000} more, sha256 `)),
  ).toHaveLength(1);
  expect((await judge('rm -rf big')).paths).toEqual(verdict.paths);
  unlinkSync(join(world.workspace, `big/${folders - 1}/999`));
  writeFileSync(join(world.workspace, `big/${folders - 1}/1000`), '');
  const changed = await judge('rm -rf big');
  expect(changed.paths).toHaveLength(2001);
  expect(changed.paths).not.toEqual(verdict.paths);

  expect((await judge('rm -f big/*/*')).paths).toHaveLength(2001);
  const bounded = await judge('rm -rf big', 5000);
  expect(sentence(bounded)).toMatch(/^Would touch at least /);
  expect((await judge('rm -rf big', 5000)).paths).toEqual(bounded.paths);
});

it('where time runs out, what is bound does not depend on when it did', async () => {
  const world = makeWorld();
  world.files(...Array.from({ length: 30 }, (_, index) => `big/${index % 10}/${index}`));
  const paths = async (ms: number) => {
    let time = 0;
    const now = (): number => (time += ms);
    return (await world.judge('rm -rf big', { now, limits: { countMs: 100, listed: 5 } })).paths;
  };
  const cut = await paths(20);
  expect(cut.at(-1)).toMatch(/… and more than could be counted$/);
  expect(await paths(15)).toEqual(cut);
});

it('what may not be read is said, and nothing is thrown', () => {
  const world = makeWorld();
  world.files('open/a', 'shut/b', 'shut/deep/c');
  mkdirSync(join(world.workspace, 'dark'));
  chmodSync(world.root, 0o755);
  chmodSync(join(world.workspace, 'shut'), 0o000);
  chmodSync(join(world.workspace, 'dark'), 0o444);
  const module = new URL('../../src/world/actions/resolve/index.ts', import.meta.url).href;
  const script = `
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const place = ${JSON.stringify(world.place)};
    const answers = [];
    for (const command of ['rm -rf .', 'rm -rf open shut', 'rm shut/*', 'cat shut/b', 'cd shut; rm -rf a', 'rm dark/x'])
      answers.push(await resolveAndJudge({ kind: 'run-command', command }, place));
    console.log(JSON.stringify(answers));`;
  const loaded = `import { resolveAndJudge } from ${JSON.stringify(module)};\n${script}`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', loaded], { encoding: 'utf8' });
  chmodSync(join(world.workspace, 'shut'), 0o755);
  chmodSync(join(world.workspace, 'dark'), 0o755);
  expect(run.stderr).toBe('');
  const [whole, two, , , stayed] = JSON.parse(run.stdout);
  expect(sentence(whole)).toContain('could not be read.');
  expect(sentence(two)).toMatch(
    /^Would touch 1 file and 2 folders, .* in open\/ and shut\/\. 1 entry could not be read\.$/,
  );
  expect(stayed.paths).toContain(join(world.workspace, 'a'));
});
