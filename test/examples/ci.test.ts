import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Bench, openBench } from '../support/cli.ts';
import { start } from '../support/processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const secret = 'quiet-harbour-42';

const page = `# Check the shop & <its> stock

## Speak

\`\`\`sh
echo '::error::fake'
echo "the token is $SHOP_API_TOKEN"
printf 'no line end'
\`\`\`

## Fail: at once, really

<!-- planwright: name=fail -->
\`\`\`sh
printf 'broken ]]> & <b>\\001\\n' >&2
exit 3
\`\`\`

## Never

\`\`\`sh
touch reached
\`\`\`
`;

const onGithub = (bench: Bench) => ({
  GITHUB_ACTIONS: 'true',
  CI: 'true',
  GITHUB_STEP_SUMMARY: bench.path('summary.md'),
  SHOP_API_TOKEN: secret,
});

async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = openBench({ here: true });
  try {
    bench.write('README.md', page);
    await work(bench);
  } finally {
    bench.clean();
  }
}

/** Everything the runner would obey: commands outside of stop-commands marks. */
function obeyed(log: string): string[] {
  const commands: string[] = [];
  let mark: string | null = null;
  for (const line of log.split('\n').map((each) => each.trimStart())) {
    if (mark !== null) {
      if (line === `::${mark}::`) mark = null;
      continue;
    }
    mark = /^::stop-commands::(\w+)$/.exec(line)?.[1] ?? null;
    if (mark === null && line.startsWith('::')) commands.push(line);
  }
  expect(mark).toBeNull();
  return commands;
}

it.concurrent('GitHub sees groups and an annotation, and a step cannot speak to it', () =>
  withBench(async (bench) => {
    const { stdout, code } = await bench.run(['run', 'README.md'], onGithub(bench));
    expect(code).toBe(1);
    expect(stdout).toContain('\n::error::fake\n');
    const commands = obeyed(stdout);
    expect(commands).toContain(`::add-mask::${secret}`);
    expect(commands.filter((line) => !line.startsWith('::add-mask::'))).toEqual([
      '::group::step 1/3 started: Speak',
      '::endgroup::',
      '::group::step 2/3 started: Fail: at once, really',
      '::endgroup::',
      '::error file=README.md,line=14,endLine=17,title=Fail%3A at once%2C really::exited with code 3: broken ]]> & <b>',
    ]);
    expect(stdout.replace(`::add-mask::${secret}`, '')).not.toContain(secret);
    expect(readFileSync(bench.path('summary.md'), 'utf8')).toMatch(
      /^### Check the shop & &lt;its> stock\n\n[\s\S]*\| ✅ \| Speak \|[\s\S]*\| ❌ \| Fail: at once, really \|.*\| exited with code 3 \|\n\| ▫️ \| Never \|/,
    );
  }));

it.concurrent('an annotation is at the file of the repository, wherever in it the job works', () =>
  withBench(async (bench) => {
    const env = { ...onGithub(bench), GITHUB_WORKSPACE: dirname(bench.workspace) };
    const { stdout } = await bench.run(['run', 'README.md'], env);
    expect(obeyed(stdout).at(-1)).toContain(`::error file=${basename(bench.workspace)}/README.md,line=14,`);
    const outside = { ...env, GITHUB_WORKSPACE: bench.home };
    expect(obeyed((await bench.run(['run', 'README.md'], outside)).stdout).at(-1)).toMatch(
      /^::error title=Fail/,
    );
  }));

it.concurrent('the JUnit report is XML with the right counts', () =>
  withBench(async (bench) => {
    await bench.run(['run', 'README.md', '--report', 'junit=report.xml'], onGithub(bench));
    const read =
      'import json,sys,xml.etree.ElementTree as t;' +
      'print(json.dumps([[e.tag,e.attrib,e.text] for e in t.parse(sys.argv[1]).iter()]))';
    const { stdout, stderr } = await start('python3', ['-c', read, bench.path('report.xml')]).ended;
    expect(stderr).toBe('');
    const elements: [string, Record<string, string>, string | null][] = JSON.parse(stdout);
    const counts = { tests: '3', failures: '1', skipped: '1' };
    expect(elements).toMatchObject([
      ['testsuites', counts, expect.anything()],
      ['testsuite', { ...counts, name: 'Check the shop & <its> stock' }, expect.anything()],
      ['testcase', { name: 'Speak', classname: 'README.md' }, null],
      ['testcase', { name: 'Fail: at once, really' }, null],
      ['failure', { type: 'exit-code', message: 'exited with code 3' }, expect.stringContaining(']]> & <b>')],
      ['testcase', { name: 'Never' }, null],
      ['skipped', {}, null],
    ]);
  }));

it.concurrent.each([
  ['fail', 3, 'approval-needed'],
  ['deny', 1, 'approval-denied'],
  ['park', 3, null],
])('--on-ask %s ends with %i', (policy, code, stopReason) =>
  withBench(async (bench) => {
    bench.write('clean.md', '# Clean\n```sh\nrm README.md\n```\n');
    const ended = await bench.run(['run', 'clean.md', '--on-ask', policy], onGithub(bench));
    expect(ended.code).toBe(code);
    expect(readFileSync(bench.path('README.md'), 'utf8')).toBe(page);
    const [row] = JSON.parse((await bench.run(['runs', '--json'])).stdout);
    expect(row.stopReason).toBe(stopReason);
  }),
);

it.concurrent('the action gives its inputs to the program, one argument a line', () =>
  withBench(async (bench) => {
    const action = parse(readFileSync(`${root}/action.yml`, 'utf8'));
    expect(Object.keys(action.inputs)).toEqual(['plan', 'args', 'report', 'working-directory']);
    const steps: { id?: string; run?: string; if?: string }[] = action.runs.steps;
    const last = action.runs.steps.at(-1);
    expect(Object.keys(last.env)).toEqual(['ACTION_PATH', 'NODE', 'PLAN', 'ARGS', 'REPORT']);
    const outputs = Object.values(action.outputs as Record<string, { value: string }>);
    for (const { value } of outputs) expect(value).toMatch(/^\$\{\{ steps\.run\.outputs\.[\w-]+ \}\}$/);
    bench.write(
      'plan.yaml',
      'goal: g\ninputs: [who]\nplan:\n- {step: Greet, run: "echo hello {who} > greeting"}\n- {step: Other, run: touch other}\n',
    );
    const { code, stdout, stderr } = await start('bash', ['-e', '-c', last.run], {
      cwd: bench.workspace,
      env: {
        ...process.env,
        ...onGithub(bench),
        PLANWRIGHT_HOME: bench.home,
        ACTION_PATH: root,
        NODE: process.execPath,
        GITHUB_OUTPUT: bench.path('outputs'),
        PLAN: 'plan.yaml',
        ARGS: '--set=who=the whole; touch INJ\n--only=Greet\n',
        REPORT: 'reports/new/junit.xml',
      },
    }).ended;
    expect(code, stdout + stderr).toBe(0);
    expect(readFileSync(bench.path('greeting'), 'utf8')).toBe('hello the whole; touch INJ\n');
    expect(readFileSync(bench.path('reports/new/junit.xml'), 'utf8')).toContain(
      'tests="2" failures="0" skipped="1"',
    );
    expect(readFileSync(bench.path('outputs'), 'utf8')).toMatch(
      /^run=\w+\nstate=done\nstop-reason=completed\nexit-code=0\n$/,
    );
    const job = steps.find(({ id }) => id === 'job')!;
    const before = { PATH: process.env['PATH'], ACTION_PATH: root, GITHUB_OUTPUT: bench.path('job') };
    const looked = await start('bash', ['-e', '-c', job.run!], { cwd: bench.workspace, env: before }).ended;
    expect(looked.code, looked.stderr).toBe(0);
    expect(readFileSync(bench.path('job'), 'utf8')).toMatch(/^node=\/.*\nlock=\d+-\d+\n$/);
    // Whoever comes after the action finds the Node that the job had before it.
    const giveBack = steps.find(({ id }) => id === 'own')!;
    await start('bash', ['-e', '-c', giveBack.run!], {
      cwd: bench.workspace,
      env: {
        PATH: process.env['PATH'],
        JOB_NODE: '/job/bin',
        GITHUB_OUTPUT: bench.path('found'),
        GITHUB_PATH: bench.path('path'),
      },
    }).ended;
    expect(readFileSync(bench.path('path'), 'utf8')).toBe('/job/bin\n');
    expect(readFileSync(bench.path('found'), 'utf8')).toMatch(/^node=\/.*node\n$/);
  }));
