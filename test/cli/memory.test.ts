import { existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

const plan = (target: string): string =>
  JSON.stringify({
    goal: 'copy',
    mode: 'agentic',
    plan: [{ step: 'Copy', action: `RUN_COMMAND cp a.txt ${target}`, expects: `file exists ${target}` }],
  });

async function mend(target: string): Promise<string> {
  bench.write('a.txt', 'a');
  bench.write('plan.json', plan(target));
  const { code, stdout, stderr } = await bench.run(['run', 'plan.json', '--yes', '--json']);
  expect(code, stderr + stdout).toBe(0);
  return stdout;
}
const remembered = async (): Promise<{ id: string; scope: string; mends: string[]; successes: number }[]> =>
  JSON.parse((await bench.run(['memory', '--json'])).stdout);

test('what mended a failure mends the next one like it, in its own words', async () => {
  expect(await mend('out/one/b.txt')).toContain('"brain":"rule"');
  const known = await remembered();
  expect(known.map(({ scope }) => scope).toSorted()).toEqual(['user', 'workspace']);
  expect(known[0]).toMatchObject({ mends: ['mkdir -p {2^}'], successes: 1 });
  const again = await mend('elsewhere/c.txt');
  expect(again).toContain('"brain":"remembered"');
  expect(again).toContain(`"fix":"${known[0]!.id}"`);
  expect(existsSync(bench.path('elsewhere/c.txt'))).toBe(true);
  expect((await remembered()).map(({ successes }) => successes)).toEqual([2, 2]);
});

test('one is forgotten by the beginning of its id, all by clear, and the listing says so', async () => {
  await mend('out/b.txt');
  const [{ id } = { id: '' }] = await remembered();
  const listed = await bench.run(['memory']);
  expect(listed.stdout).toContain(`${id}  `);
  expect(listed.stdout).toContain('mended  mkdir -p {2^}');
  expect((await bench.run(['memory', 'forget', 'zzz'])).code).toBe(2);
  expect((await bench.run(['memory', 'forget', id.slice(0, 4)])).code).toBe(0);
  expect(await remembered()).toEqual([]);
  rmSync(bench.path('out'), { recursive: true });
  await mend('out/b.txt');
  expect(JSON.parse((await bench.run(['memory', 'clear', '--json'])).stdout)).toEqual({ forgotten: 2 });
  expect((await bench.run(['memory'])).stderr).toContain('Nothing is remembered');
  expect((await bench.run(['memory', 'forget'])).code).toBe(2);
});
