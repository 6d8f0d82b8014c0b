import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

/** Looks like nothing in particular: only the variable's name says that it is a secret. */
const SECRET = 'qZ8vX2pLr4Tn7Wk1';
const env = { DEPLOY_TOKEN: SECRET };

const logs = () => {
  const root = join(bench.home, 'data', 'output');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n');
};

describe('a secret appears in no log and on no screen', () => {
  it('from the environment, printed whole and in pieces', async () => {
    const half = SECRET.length / 2;
    bench.write(
      'plan.yaml',
      planOf(
        'echo "token is $DEPLOY_TOKEN"',
        `printf %s "\${DEPLOY_TOKEN:0:${half}}"; sleep 0.3; printf '%s\\n' "\${DEPLOY_TOKEN:${half}}"`,
        'echo "$DEPLOY_TOKEN" >&2; exit 3',
      ),
    );
    const ran = await bench.run(['run', 'plan.yaml'], env);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('token is');
    const seen = [ran, await bench.run(['show', '--json'], env), await bench.run(['show', '--events'], env)];
    seen.push(
      await bench.run(['logs'], env),
      await bench.run(['resume', '--json'], env),
      await bench.run(['show'], env),
    );
    for (const { stdout, stderr } of seen) expect(stdout + stderr).not.toContain(SECRET);
    expect(logs()).not.toContain(SECRET);
  });

  it('as an input that the plan calls secret', async () => {
    bench.write(
      'plan.yaml',
      'goal: g\ninputs: [{name: pin, secret: true}]\nplan:\n- step: use it\n  action: RUN_COMMAND echo pin {pin}\n',
    );
    const ran = await bench.run(['run', 'plan.yaml', '--set', `pin=${SECRET}`, '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    const seen = [
      ran,
      await bench.run(['show', '--json']),
      await bench.run(['show', '--events']),
      await bench.run(['logs']),
    ];
    for (const { stdout, stderr } of seen) expect(stdout + stderr).not.toContain(SECRET);
    expect(seen[3]?.stdout).toContain('pin [secret]');
    expect(logs()).not.toContain(SECRET);
  });

  it('written into a plan it is an error, and the message does not repeat it', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    bench.write('plan.yaml', planOf(`curl -H 'Authorization: Bearer ${token}' localhost`));
    const ran = await bench.run(['run', 'plan.yaml']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('secret-literal');
    expect(ran.stdout + ran.stderr).not.toContain(token);
  });
});
