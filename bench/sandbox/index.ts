import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment } from '../../src/world/process/environment.ts';
import {
  type CommandSpec,
  probeSandbox,
  type SandboxPolicy,
  startCommand,
} from '../../src/world/process/index.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 200;
const WARM_UP = 20;

/**
 * What a sandbox adds to `true`: without package caches, and with three that are there and become overlays. One after
 * the other in turn, so that all meet the same machine; medians, so that a pause of the machine counts for none.
 */
export async function benchSandbox(): Promise<Row[]> {
  const probe = await probeSandbox();
  if (!probe.works) throw new Error(probe.why);
  // Not in /tmp: it is private to every sandbox, and nothing would be there to hide.
  const folder = realpathSync(mkdtempSync(join(homedir(), '.planwright-bench-')));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string): Promise<Row[]> {
  for (const name of ['work/.git/hooks', 'home/.ssh', 'store', 'npm', 'pip', 'cargo'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['work/.git/config', 'home/.netrc', 'home/.npmrc'])
    writeFileSync(join(folder, name), '');
  const policy: SandboxPolicy = {
    workspace: join(folder, 'work'),
    grants: {},
    home: join(folder, 'home'),
    caches: [],
    storeDir: join(folder, 'store'),
  };
  const cached = { ...policy, caches: ['npm', 'pip', 'cargo'].map((name) => join(folder, name)) };
  const times = { outside: [] as number[], inside: [] as number[], cached: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const taken = {
      outside: await timed(folder, {}),
      inside: await timed(folder, { sandbox: policy }),
      cached: await timed(folder, { sandbox: cached }),
    };
    if (round < 0) continue;
    times.outside.push(taken.outside);
    times.inside.push(taken.inside);
    times.cached.push(taken.cached);
  }
  const [outside, inside, withCaches] = [median(times.outside), median(times.inside), median(times.cached)];
  return [
    { name: 'what the sandbox adds to true', value: round3(inside - outside), unit: 'ms', target: 8 },
    {
      name: 'what it adds with overlays on 3 package caches',
      value: round3(withCaches - outside),
      unit: 'ms',
    },
    { name: 'true in the sandbox', value: round3(inside), unit: 'ms' },
    { name: 'true without it', value: round3(outside), unit: 'ms' },
  ];
}

async function timed(folder: string, options: Pick<CommandSpec, 'sandbox'>): Promise<number> {
  const start = performance.now();
  const started = await startCommand({
    script: 'true',
    shell: 'bash',
    baseEnv: baseEnvironment(process.env),
    session: { cwd: join(folder, 'work'), env: {} },
    marker: { run: 'bench', step: 's', epoch: 1 },
    onOutput: () => {},
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  started.command.open();
  const { exitCode } = await started.command.done;
  if (exitCode !== 0) throw new Error(`true came out as ${exitCode}`);
  return performance.now() - start;
}

const round3 = (value: number): number => Math.round(value * 1000) / 1000;
