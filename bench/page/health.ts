import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/core/contract/index.ts';
import type { Row } from '../row.ts';
import { memoryOf } from '../server/serving.ts';
import { onStage } from './stage.ts';

const STEPS = 5000;
const SECONDS = 10;

/** How long an answer takes, asked again and again for a while: the middle, and what one in a hundred takes. */
async function probe(url: string, seconds = SECONDS): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(5)) {
    const began = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1]!, p99: times[Math.floor(times.length * 0.99)]! };
}

async function bareSpawner(): Promise<{ p99: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare/spawner.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const url of createInterface({ input: child.stdout })) return await probe(url);
    throw new Error('the bare server ended before it served');
  } finally {
    child.kill('SIGKILL');
  }
}

/** Whether the server answers while it drives a run: beside a bare one that starts processes, and itself at rest. */
export const benchHealth = (): Promise<Row[]> =>
  onStage(async ({ serving, home }) => {
    const { url, token } = serving();
    const client = createClient({ baseUrl: url, fetch, token });
    const health = `${url}/healthz`;
    const resting = await probe(health, SECONDS / 2);
    const bare = await bareSpawner();
    const workspace = join(home, 'workspace');
    mkdirSync(workspace);
    const plan = Array.from({ length: STEPS }, (_, n) => ({ step: `Step ${n}`, action: 'RUN_COMMAND true' }));
    const text = JSON.stringify({ goal: 'Many small steps', plan });
    const source = { text, kind: 'plan' as const, name: 'many.json' };
    const { id } = await client.createRun({ source, agreed: true, workspace });
    while ((await client.getRun(id)).row.stepsDone === 0) await sleep(20);
    const driven = await probe(health);
    const { row } = await client.getRun(id);
    await client.request(id, { type: 'cancel-requested' });
    return [
      {
        name: `health while a run of ${STEPS} steps is driven, p99`,
        value: driven.p99,
        unit: 'ms',
        target: '< 50',
        note: `at rest: ${resting.p99.toFixed(1)} ms; a bare server that starts processes: ${bare.p99.toFixed(1)} ms`,
      },
      { name: 'the same, median', value: driven.p50, unit: 'ms' },
      { name: 'steps done meanwhile', value: row.stepsDone, unit: 'steps' },
      { name: 'memory of the server then', value: memoryOf(serving()), unit: 'MB' },
    ];
  });
