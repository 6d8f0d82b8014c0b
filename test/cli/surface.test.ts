import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';

/** One folder for all of them: each uses files and runs of its own. */
let bench: Bench;
beforeAll(() => {
  bench = openBench({ here: true });
});
afterAll(() => bench.clean());

const json = async (...args: string[]) => JSON.parse((await bench.run([...args, '--json'])).stdout);
const folder = (name: string) => {
  mkdirSync(bench.path(name));
  return bench.path(name);
};

test('a dry run is what was asked for: on stdout, and as JSON', async () => {
  bench.write('dry.json', planOf('rm -rf out'));
  const dry = await bench.run(['run', 'dry.json', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain('RUN_COMMAND rm -rf out');
  expect(await json('run', 'dry.json', '--dry-run')).toMatchObject({
    goal: 'a plan',
    steps: [{ id: 's1', action: 'RUN_COMMAND rm -rf out', runs: true, risk: { level: 'dangerous' } }],
  });
  const valid = await bench.run(['plan', 'validate', 'dry.json']);
  expect(valid).toMatchObject({ code: 0, stdout: '', stderr: 'dry.json is a valid plan of 1 step.\n' });
  expect(await bench.run(['plan', 'dry.json'])).toMatchObject({ code: 0, stderr: valid.stderr });
});

test('run with nothing takes the plan or the page of the folder, and - what comes in', async () => {
  const { CI: _ci, ...inherited } = process.env;
  const env = { ...inherited, PLANWRIGHT_HOME: bench.home };
  const here = folder('usual');
  expect((await bench.run(['run', '-C', here])).stderr).toContain('there is no plan.yaml');
  bench.write('usual/README.md', '# Page\n\n```sh\necho from the page\n```\n');
  expect(await bench.run(['run', '-C', here])).toMatchObject({ code: 0, stdout: 'from the page\n' });
  // It is called as a person here would call it.
  const [shown] = JSON.parse((await bench.run(['run', '-C', here, '--dry-run', '--json'])).stdout).steps;
  expect(shown.source.file).toBe('usual/README.md');
  bench.write('usual/plan.yaml', planOf('echo from the plan'));
  const ran = await bench.run(['run', '-C', here]);
  expect(ran).toMatchObject({ code: 0, stdout: 'from the plan\n' });
  expect(ran.stderr).toContain('Running plan.yaml.');
  for (const [text, said] of [
    [`# a comment\ngoal: g\nplan:\n- {step: a, action: RUN_COMMAND echo plan}\n`, 'plan\n'],
    ['# Page\n\n```sh\necho page\n```\n', 'page\n'],
  ] as const) {
    const piped = [
      '-c',
      'printf %s "$1" | "${@:2}"',
      'sh',
      text,
      process.execPath,
      BIN,
      'run',
      '-',
      '-C',
      here,
    ];
    expect(await start('bash', piped, { env }).ended).toMatchObject({ code: 0, stdout: said });
  }
});

test('limits of a run are flags too', async () => {
  const here = folder('limited');
  bench.write('slow.json', planOf('sleep 600'));
  expect((await bench.run(['run', 'slow.json', '--wall-time', '1', '-C', here])).code).toBe(4);
  expect((await bench.run(['run', 'slow.json', '--wall-time', 'long', '-C', here])).code).toBe(2);
  // What asks something of a run answers in JSON as well, and a short word of logs is a step.
  expect(await json('cancel', '-C', here)).toMatchObject({ ok: true, refused: null });
  // Of another run: the second may be over before the first step of that one began.
  const told = folder('told');
  bench.write('quick.json', planOf('true'));
  expect((await bench.run(['run', 'quick.json', '-C', told])).code).toBe(0);
  expect((await bench.run(['logs', '1', '-C', told])).code).toBe(0);
  expect(await json('logs', '-C', told)).toMatchObject({ stepId: 's1', attemptIndex: 0, text: '' });
});

test('small things are told rightly', async () => {
  symlinkSync('loop.yaml', bench.path('loop.yaml'));
  const loop = await bench.run(['run', './loop.yaml']);
  expect(loop).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('loop.yaml cannot be followed to a file'),
  });
  bench.write('fine.json', planOf('true'));
  const report = await bench.run(['run', 'fine.json', '--report', 'junit=/nonexist/x.xml']);
  expect(report).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') });
  for (const flag of ['-v', '-V', '--version', 'version'])
    expect((await bench.start([flag]).ended).stdout, flag).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await bench.run(['trust', '--list'])).stderr).toBe('No folder is trusted.\n');
  expect((await bench.run(['config', 'get', 'mode'])).stdout).toBe('planner\n');
  expect(await json('config', 'get', 'mode')).toBe('planner');
});

test('in a folder that is gone a sentence is said, and help is given', async () => {
  const gone = folder('gone');
  const at = (...args: string[]) =>
    start(
      'bash',
      ['-c', 'cd "$1" && rmdir "$1" && shift && "$@"', 'sh', gone, process.execPath, BIN, ...args],
      {
        env: { ...process.env, PLANWRIGHT_HOME: bench.home },
      },
    ).ended;
  const ran = await at('runs');
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('is gone') });
  expect(ran.stderr).not.toContain('    at ');
  mkdirSync(gone);
  expect((await at('help')).code).toBe(0);
  rmSync(gone, { recursive: true, force: true });
});

test('a hint that nobody can read is said to be one', async () => {
  const here = folder('hinted');
  bench.write('stuck.json', planOf('exit 9'));
  await bench.run(['run', 'stuck.json', '--mode', 'agentic', '-C', here]);
  expect((await bench.run(['hint', 'look again', '-C', here])).stderr).toContain('rules read no hints');
  await bench.run(['run', 'stuck.json', '-C', here]);
  const [{ id }] = JSON.parse((await bench.run(['runs', '--json', '-C', here])).stdout);
  const refused = (await bench.run(['hint', id, 'look again', '-C', here])).stderr;
  expect(refused).toContain('only in agentic mode is there a brain');
  expect(refused, 'what is refused is not looked at').not.toContain('looked at again');
});
