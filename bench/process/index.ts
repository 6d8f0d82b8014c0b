import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { perform, stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 300;
const WARM_UP = 20;

/** The same bash, with the same pipes for its output, and nothing else. */
async function bareSpawn(): Promise<void> {
  const child = spawn('bash', ['--noprofile', '--norc', '-c', 'true'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

/**
 * What `RUN_COMMAND true` costs through the performer (judged, permitted, started behind the gate, opened, its
 * session reported, its end seen) against a bare spawn. One after the other in turn, so that both meet the same
 * machine; medians, so that a pause of the machine counts for neither.
 */
export async function benchProcess(): Promise<Row[]> {
  const performer = testPerformer({ baseEnv: process.env });
  const step = stepOf('true');
  const times = { bare: [] as number[], performed: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const bare = await timed(bareSpawn);
    const performed = await timed(async () => {
      const { exitCode, why } = await perform({ performer, step });
      if (exitCode !== 0 || why !== undefined) throw new Error(`true came out as ${exitCode}, ${why}`);
    });
    if (round < 0) continue;
    times.bare.push(bare);
    times.performed.push(performed);
  }
  const [bare, performed] = [median(times.bare), median(times.performed)];
  return [
    {
      name: 'RUN_COMMAND true against a bare spawn',
      value: round3(performed / bare),
      unit: '×',
      target: 1.5,
    },
    { name: 'RUN_COMMAND true', value: round3(performed), unit: 'ms' },
    { name: 'bare spawn of bash', value: round3(bare), unit: 'ms' },
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const round3 = (value: number): number => Math.round(value * 1000) / 1000;
