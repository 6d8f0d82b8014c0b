import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeSandbox } from '../../src/world/process/index.ts';
import { type Bench, openBench, planOf } from '../support/cli.ts';

const probe = await probeSandbox();
const isMissing = !probe.works && process.env['CI'] !== 'true';
if (isMissing) console.log('no sandbox here: these tests are skipped');

let bench: Bench;
let outside: string;
beforeEach(() => {
  bench = openBench({ here: true });
  outside = mkdtempSync(join(homedir(), '.planwright-outside-'));
});
afterEach(() => {
  bench.clean();
  rmSync(outside, { recursive: true, force: true });
});

const env = { PLANWRIGHT_SANDBOX: 'all' };
const row = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout)[0];

describe.skipIf(isMissing)('with every step in a sandbox', () => {
  it('the workspace can be written, session and exit code carry over', async () => {
    bench.write(
      'plan.yaml',
      planOf('mkdir sub && cd sub && export A=1', 'echo "$A ${PWD##*/}" > here', 'exit 7'),
    );
    expect((await bench.run(['run', 'plan.yaml'], env)).code).toBe(1);
    expect(existsSync(bench.path('sub/here'))).toBe(true);
    const shown = JSON.parse((await bench.run(['show', '--json'])).stdout);
    expect(shown.steps[2].result).toMatchObject({ exitCode: 7, sandboxed: true });
    bench.write('plan.yaml', planOf('true'));
    await bench.run(['run', 'plan.yaml']);
    const outside = JSON.parse((await bench.run(['show', '--json'])).stdout);
    expect(outside.steps[0].result.sandboxed, 'outside of one nothing says so').toBeUndefined();
  });

  it('a write outside is refused, said to be the sandbox, and goes with exactly the missing grant', async () => {
    bench.write('out.sh', `touch ${outside}/made`);
    bench.write('plan.yaml', planOf('sh out.sh', 'echo two'));
    const denied = await bench.run(['run', 'plan.yaml'], env);
    expect(denied.code, denied.stderr).toBe(1);
    expect(denied.stderr).toContain('the sandbox refused it');
    expect(existsSync(join(outside, 'made'))).toBe(false);
    const shown = JSON.parse((await bench.run(['show', '--json'])).stdout);
    expect(shown.steps[0].result).toMatchObject({ why: 'sandbox-denied', missing: { write: [outside] } });
    const granted = await bench.run(['retry', '--grant', `write=${outside}`], env);
    expect(granted, granted.stderr).toMatchObject({ code: 0, stdout: 'two\n' });
    expect(existsSync(join(outside, 'made'))).toBe(true);
    expect(await row()).toMatchObject({ state: 'done' });
  });

  it('the journal cannot be seen from inside', async () => {
    bench.write('plan.yaml', planOf(`cat ${bench.home}/data/planwright.db > stolen; test ! -s stolen`));
    expect((await bench.run(['run', 'plan.yaml'], env)).code).toBe(0);
    expect(statSync(bench.path('stolen')).size).toBe(0);
  });
});
