import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagePackage } from '../../scripts/stage-package.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 21;

/**
 * From the prompt to the prompt, with the package as it is installed and its code cache warm. In turn, so that each meets
 * the same machine; medians, so that a pause of the machine counts for none.
 */
export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  try {
    const installed = join(folder, 'planwright');
    await stagePackage(installed);
    return measure(folder, join(installed, 'bin/planwright.js'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(folder: string, bin: string): Row[] {
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, 'goal: start\nplan:\n  - step: nothing\n    action: RUN_COMMAND true\n');
  const env = { ...process.env, CI: 'true', PLANWRIGHT_HOME: join(folder, 'home') };
  const time = (args: string[], more: NodeJS.ProcessEnv = {}): number => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...env, ...more },
      stdio: 'ignore',
    });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with exit code ${status}`);
    return performance.now() - start;
  };
  const starts = {
    node: () => time(['-e', '0']),
    version: () => time([bin, '--version']),
    help: () => time([bin, 'help']),
    risk: () => time([bin, 'risk', 'rm -rf build']),
    run: () => time([bin, 'run', plan, '--yes']),
    runs: () => time([bin, 'runs']),
    uncached: () => time([bin, 'runs'], { NODE_DISABLE_COMPILE_CACHE: '1' }),
  };
  const names = Object.keys(starts) as (keyof typeof starts)[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  // Twice before it counts: the first start writes the cache, and what it loads by the way is written at the second.
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const name of names) {
      const ms = starts[name]();
      if (round >= 0) times[name]!.push(ms);
    }
  }
  const of = (name: keyof typeof starts) => median(times[name]!);
  const node = of('node');
  const row = (name: keyof typeof starts, what: string, target?: number, note = ''): Row => ({
    name: `planwright ${what} against node -e 0`,
    value: of(name) / node,
    unit: '×',
    note: `${of(name).toFixed(0)} ms${note}`,
    ...(target === undefined ? {} : { target }),
  });
  return [
    { name: 'node -e 0', value: node, unit: 'ms' },
    row('version', '--version', 2),
    row('help', 'help', 2.5),
    row('risk', 'risk', 2.5),
    row('runs', 'runs', undefined, `, ${of('uncached').toFixed(0)} ms without the code cache`),
    row('run', 'run, of one step that does nothing,'),
    { name: 'planwright run beyond node -e 0', value: of('run') - node, unit: 'ms', target: 250 },
  ];
}
