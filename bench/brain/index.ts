import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { memoriesFor } from '../../src/doors/app/memory.ts';
import {
  createRememberedBrain,
  createRulesBrain,
  emptyContext,
  failureOf,
  generalise,
} from '../../src/mind/brain/index.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { openStore } from '../../src/world/store/index.ts';
import {
  corporaAreHere,
  type FailedCommand,
  isText,
  propose,
  readFixes,
  readUnlabelled,
} from '../../test/brain/corpora.ts';
import { readFailures } from '../../test/brain/failures.ts';
import { median, type Row } from '../row.ts';

/** How many failures the offline brain mends and leaves alone, and how long it thinks about one. Nothing is probed. */
export async function benchBrain(): Promise<Row[]> {
  const brain = createRulesBrain();
  const examples = [...readFailures().values()].flat();
  const failures: FailedCommand[] = [...examples, ...(corporaAreHere ? readUnlabelled() : [])];
  for (const failed of failures.slice(0, 100)) await propose(brain, failed);
  const times: number[] = [];
  for (const failed of failures) {
    const start = performance.now();
    await propose(brain, failed);
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const rows: Row[] = [
    {
      name: 'think about a failure, median',
      value: median(times),
      unit: 'ms',
      target: 20,
      note: `${failures.length} failures`,
    },
    {
      name: 'think about a failure, 99th percentile',
      value: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      unit: 'ms',
    },
  ];
  rows.push(await fromMemory(failures));
  if (!corporaAreHere) return rows;
  const { fix, leave_alone: alone } = readFixes();
  let mended = 0;
  for (const failed of fix) {
    const proposed = await propose(brain, failed);
    if (proposed !== null && failed.fixes.some((text) => isText(proposed, text))) mended++;
  }
  let left = 0;
  for (const failed of alone) if ((await propose(brain, failed)) === null) left++;
  let heard = 0;
  for (const failed of readUnlabelled()) if ((await propose(brain, failed)) !== null) heard++;
  return [
    ...rows,
    {
      name: 'known fixes, by the first proposal',
      value: (100 * mended) / fix.length,
      unit: '%',
      target: '>= 95',
      note: `${mended} of ${fix.length}; thefuck's own: 93 %`,
    },
    {
      name: 'left alone what is to be left alone',
      value: (100 * left) / alone.length,
      unit: '%',
      target: '>= 97',
      note: `${left} of ${alone.length}`,
    },
    {
      name: 'unlabelled failures with a proposal',
      value: heard,
      unit: 'of 400',
      note: 'without a look at the folder',
    },
    ...thefuck(),
  ];
}

/** What is remembered is looked up in a real store, filled with a fix for every failure that the rules mend. */
async function fromMemory(failures: readonly FailedCommand[]): Promise<Row> {
  const dir = mkdtempSync(join(tmpdir(), 'pw-memory-'));
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver: thisDriver() });
  try {
    const memories = memoriesFor(store, dir);
    const rules = createRulesBrain();
    const known = failures.flatMap((failed) => failureOf(failed) ?? []);
    for (const failure of known) {
      const correction = await rules.analyzeFailure(failure, emptyContext);
      const general = correction === null ? null : generalise(failure, correction);
      if (general !== null) for (const memory of memories) await memory.remember(general);
    }
    const brain = createRememberedBrain(memories);
    const times: number[] = [];
    for (const failure of known) {
      const start = performance.now();
      await brain.analyzeFailure(failure, emptyContext);
      times.push(performance.now() - start);
    }
    const kept = (await store.fixes({})).length / memories.length;
    return {
      name: 'ask the memory, median',
      value: median(times),
      unit: 'ms',
      target: 20,
      note: `${kept} fixes`,
    };
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** thefuck beside it, where it is installed: one whole start, as each failure costs there. It runs the command again. */
function thefuck(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'pw-thefuck-'));
  try {
    const start = performance.now();
    const run = spawnSync('thefuck', ['--force-command', 'git stauts', '--yes'], {
      cwd: folder,
      timeout: 20_000,
      env: { PATH: process.env['PATH'], HOME: folder, TF_SHELL: 'bash', TF_ALIAS: 'fuck' },
    });
    if (run.error !== undefined) return [];
    return [
      { name: 'thefuck, one failure', value: performance.now() - start, unit: 'ms', note: 'with its start' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
