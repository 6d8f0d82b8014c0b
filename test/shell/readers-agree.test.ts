import { describe, expect, it } from 'vitest';
import { substitute } from '../../src/core/plan/substitute/index.ts';
import { believedCommands } from '../../src/core/risk/judge.ts';
import { bashCommands, readCommand, startsOf } from '../../src/core/shell/index.ts';
import { makeWorld } from '../resolve/place.ts';

/** What each reader of shell text takes for the program that runs, and what it finds out about it. */
async function asked(line: string) {
  const world = makeWorld();
  const verdict = await world.judge(line);
  return {
    judge: believedCommands(line).at(-1)?.name,
    level: verdict.level,
    validator: bashCommands(line).commands.at(-1)?.words[0],
    brain: readCommand(line).simples.at(-1)?.program,
    paths: await world.paths(line),
    unknownPaths: verdict.unknownPaths,
  };
}

/** Whether substitution lets a value stand where `{item}` does. */
const put = (command: string): boolean => substitute({ kind: 'run-command', command }, { item: 'x' }).ok;

/** They run the command behind them, here. */
const here = [
  ...['setsid', 'ionice -c 3', 'busybox', '/usr/bin/sudo', 'sudo -u root', 'doas', 'nice -n 5', 'nohup'],
  ...['timeout -k 1 5', 'stdbuf -oL', 'env A=1', 'command', 'flock lock', 'strace -f -o log', 'unshare -r'],
  ...['setpriv --reuid 1', 'chrt 5', 'sudo env nice', 'exec', 'systemd-inhibit --why x', 'catchsegv'],
];

describe('behind what runs the words behind it', () => {
  it.each(here)('%s rm -rf build', async (wrapper) => {
    const answers = await asked(`${wrapper} rm -rf build`);
    const program = { judge: 'rm', validator: 'rm', brain: 'rm' };
    expect(answers).toEqual({ ...program, level: 'dangerous', paths: ['./build'], unknownPaths: undefined });
    expect(put(`${wrapper} rm -rf {item}`)).toBe(true);
    expect(put(`${wrapper} bash -c {item}`)).toBe(false);
  });

  it.each([
    ['sudo -D /tmp', 'In which folder build lies'],
    ['env -C /tmp', 'In which folder build lies'],
    ['systemd-run', 'In which folder build lies'],
    ['xargs', 'What `xargs` hands to `rm`'],
    ['find . -print0 | xargs -0', 'What `xargs` hands to `rm`'],
  ])('%s rm -rf build: and that it is not known where, or what else', async (wrapper, why) => {
    const answers = await asked(`${wrapper} rm -rf build`);
    expect(answers).toMatchObject({ judge: 'rm', validator: 'rm', brain: 'rm', level: 'dangerous' });
    expect(answers.unknownPaths).toContain(why);
  });
});

describe('in text that another shell reads', () => {
  it.each([
    ...["su -c 'rm -rf build'", "eval 'rm -rf build'", 'eval rm -rf build', "bash -c 'rm -rf build'"],
    ...[
      "env -S 'rm -rf build'",
      "watch 'rm -rf build'",
      'watch -n 5 rm -rf build',
      "flock l -c 'rm -rf build'",
    ],
    ...["script -q -c 'rm -rf build' log", "sudo sh -c 'rm -rf build'", "xargs -I{} sh -c 'rm -rf build'"],
    ...["env X=1 bash -c 'cd . && rm -rf build'", "nohup setsid bash -c 'rm -rf build'"],
  ])('%s', async (line) => {
    const { judge, level, paths, unknownPaths } = await asked(line);
    expect({ judge, level, paths, unknownPaths }).toEqual({
      judge: 'rm',
      level: 'dangerous',
      paths: expect.arrayContaining(['./build']),
      unknownPaths: undefined,
    });
  });

  it.each([
    'su -c',
    'eval',
    'bash -c',
    'env -S',
    'watch',
    'flock l -c',
    'script -c',
    'sudo -u x sh -ec',
    'xargs sh -c',
  ])('nothing is put: %s {item}', (wrapper) => {
    expect(put(`${wrapper} {item}`)).toBe(false);
  });
});

describe('for each of many', () => {
  it.each([
    ['parallel rm -rf ::: build out', ['./build', './out']],
    ['parallel rm -rf {} ::: build out', ['./build', './out']],
    ['find build -exec rm -rf {} +', ['./build']],
    ["find build -type f -exec rm -rf '{}' ';'", ['./build']],
  ])('%s', async (line, paths) => {
    const answers = await asked(line);
    expect(answers).toMatchObject({ judge: 'rm', level: 'dangerous', unknownPaths: undefined });
    expect(answers.paths).toEqual(paths);
  });
});

describe('elsewhere', () => {
  it.each([
    ['chroot /x rm -rf build', 'chroot'],
    ["ssh host 'rm -rf build'", 'ssh'],
    ['docker exec box rm -rf build', 'docker'],
    ['kubectl exec pod -- rm -rf build', 'kubectl'],
    ['nsenter -t 1 rm -rf build', 'nsenter'],
  ])('%s: nothing here is touched, and nobody can look there', async (line, program) => {
    const { judge, level, paths, unknownPaths, validator, brain } = await asked(line);
    expect({ judge, level, paths }).toEqual({ judge: 'rm', level: 'dangerous', paths: [] });
    expect({ validator, brain }).toEqual({ validator: program, brain: program });
    expect(unknownPaths).toContain(`What \`${program}\` starts runs where nothing can be looked at`);
  });
});

describe('what only speaks of a command', () => {
  it.each(['command -v rm', 'command -V rm', 'type rm'])('%s runs nothing', async (line) => {
    const name = line.split(' ')[0];
    const { judge, validator, brain, paths, unknownPaths } = await asked(line);
    expect({ judge, validator, brain }).toEqual({ judge: name, validator: name, brain: name });
    expect({ paths, unknownPaths }).toEqual({ paths: [], unknownPaths: undefined });
    expect(startsOf(line.split(' '))?.started ?? []).toEqual([]);
  });
});
