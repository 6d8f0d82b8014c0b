import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '../row.ts';

const ROUNDS = 31;
const bin = join(import.meta.dirname, '../../bin/planwright.js');

/** In turn, so that each meets the same machine; medians, so that a pause of the machine counts for none. */
export async function bench(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  const env = { ...process.env, PLANWRIGHT_HOME: home };
  const time = (args: string[], more: NodeJS.ProcessEnv = {}): number => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { env: { ...env, ...more }, stdio: 'ignore' });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with exit code ${status}`);
    return performance.now() - start;
  };
  const commands = {
    node: () => time(['-e', '0']),
    version: () => time([bin, '--version']),
    help: () => time([bin, 'help']),
    uncached: () => time([bin, 'help'], { NODE_DISABLE_COMPILE_CACHE: '1' }),
  };
  const names = Object.keys(commands) as (keyof typeof commands)[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    keyof typeof commands,
    number[]
  >;
  try {
    for (const name of names) commands[name]();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of names) times[name].push(commands[name]());
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const [node, version, help, uncached] = names.map((name) => median(times[name])) as [
    number,
    number,
    number,
    number,
  ];
  return [
    { name: 'node -e 0', value: node, unit: 'ms' },
    { name: 'planwright --version against node -e 0', value: version / node, unit: '×', target: 2 },
    {
      name: 'planwright help',
      value: help,
      unit: 'ms',
      note: `${uncached.toFixed(0)} ms without the code cache`,
    },
  ];
}
