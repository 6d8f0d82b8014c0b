import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Scenario } from './scenario.ts';

const MAX_SCRIPT_MS = 60_000;

/** A scratch workspace of one scenario, with a home of its own and ports that nobody else has. */
export interface Place {
  workspace: string;
  plan: string;
  env: NodeJS.ProcessEnv;
  /** Runs a script of the scenario there; whether it succeeded, and what it said. */
  script(text: string): { ok: boolean; said: string };
  /** Ends what the set-up left running, and removes everything. */
  clean(): void;
}

export async function openPlace(scenario: Scenario): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'pw-repair-'));
  const inside = (name: string): string => join(root, name);
  const workspace = inside('work');
  for (const name of ['work', 'home', 'state', 'scripts']) mkdirSync(inside(name));
  const [port, other] = [await freePort(), await freePort()];
  const fill = (text: string): string =>
    text.replaceAll('@PORT@', String(port)).replaceAll('@PORT2@', String(other));
  const env: NodeJS.ProcessEnv = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: inside('home'),
    PLANWRIGHT_HOME: inside('state'),
    PIDS: inside('pids'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INDEX: '1',
  };
  let scripts = 0;
  const script = (text: string): { ok: boolean; said: string } => {
    const file = inside(`scripts/${scripts++}.sh`);
    writeFileSync(file, fill(text));
    const run = spawnSync('bash', [file], {
      cwd: workspace,
      env,
      encoding: 'utf8',
      timeout: MAX_SCRIPT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { ok: run.status === 0, said: `${run.stdout}${run.stderr}` };
  };
  const clean = (): void => {
    if (scenario.teardown !== undefined) script(scenario.teardown);
    for (const pid of pidsIn(inside('pids'))) {
      try {
        process.kill(pid);
      } catch {
        // It has ended by itself.
      }
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  };
  const plan = inside('plan.yaml');
  writeFileSync(plan, fill(scenario.plan));
  const made = script(scenario.setup);
  if (!made.ok) {
    clean();
    throw new Error(`${scenario.name}: its set-up fails: ${made.said}`);
  }
  return { workspace, plan, env, script, clean };
}

/** A set-up writes the id of each process that it leaves running on a line of `$PIDS`. */
function pidsIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').map(Number).filter(Number.isInteger).filter(Boolean);
  } catch {
    return [];
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
