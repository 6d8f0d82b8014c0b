import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stagePackage } from '../../scripts/stage-package.ts';
import { median, type Row } from '../row.ts';
import { boss, dbos, type Engine, planwright, type Work } from './engines.ts';
import { end, openStage, rateOf, type Stage } from './stage.ts';

const WORKERS = [1, 2, 3];
/** So many that what is compiled while the first of them pass is little of it, for both alike. */
const MOST: Record<Work, number> = { nothing: 1500, spawn: 80 };

/** So many a second with each number of workers. */
async function ratesOf(engine: Engine, count: number): Promise<number[]> {
  const rates: number[] = [];
  try {
    for (const workers of WORKERS) {
      const before = await engine.count();
      await engine.enqueue(count);
      const working: ChildProcess[] = [];
      for (let n = 0; n < workers; n += 1) working.push(await engine.work());
      try {
        const sinceThen = async () => {
          const { begun, done } = await engine.count();
          return { begun: begun - before.done, done: done - before.done };
        };
        rates.push(await rateOf(sinceThen, count));
      } finally {
        await end(working);
      }
    }
    return rates;
  } finally {
    await engine.close();
  }
}

const said = (rates: readonly number[]): string => rates.map((rate) => rate.toFixed(1)).join(', ');

/** Runs of ten steps that do nothing, beside workflows of DBOS, on the same server, one after the other. */
export async function benchFleetThroughput(): Promise<Row[]> {
  const stage = await openStage();
  try {
    const bin = await staged(stage);
    const rows: Row[] = [];
    for (const work of ['nothing', 'spawn'] as const) {
      const [ours, theirs] = [await stage.database(`ours_${work}`), await stage.database(`theirs_${work}`)];
      const our = await ratesOf(await planwright(stage, ours, bin, work), MOST[work]);
      const their = await ratesOf(await dbos(stage, theirs, work), MOST[work]);
      const what = work === 'nothing' ? 'steps that do nothing' : 'shells that do nothing';
      WORKERS.forEach((workers, n) => {
        rows.push({
          name: `runs of ten ${what}, ${workers} ${workers === 1 ? 'worker' : 'workers'}, against DBOS`,
          value: our[n]! / their[n]!,
          unit: '×',
          target: '>= 1',
          note: `${our[n]!.toFixed(1)} runs a second, DBOS ${their[n]!.toFixed(1)} workflows`,
        });
      });
      await ours.close();
      await theirs.close();
    }
    const at = await stage.database('bare');
    const jobs = await ratesOf(await boss(stage, at), 1000);
    await at.close();
    rows.push({
      name: 'bare jobs of pg-boss, 1 worker',
      value: jobs[0]!,
      unit: 'jobs/s',
      note: `with 1, 2, 3 workers ${said(jobs)}: one job, where a run has ten steps and their journal`,
    });
    return rows;
  } finally {
    await stage.close();
  }
}

const DISPATCHES = 15;

/** One at a time, while a worker waits for it: from asking for it to the start of its first step. */
export async function benchFleetLatency(): Promise<Row[]> {
  const stage = await openStage();
  try {
    const bin = await staged(stage);
    const latencyOf = async (engine: Engine) => {
      const working = [await engine.work()];
      try {
        const times: number[] = [];
        // The first waits for the worker itself.
        for (let n = 0; n <= DISPATCHES; n += 1) {
          const before = await engine.count();
          const start = performance.now();
          await engine.enqueue(1);
          while ((await engine.count()).begun === before.begun) await sleep(2);
          times.push(performance.now() - start);
          while ((await engine.count()).done === before.done) await sleep(2);
        }
        return median(times.slice(1));
      } finally {
        await end(working);
        await engine.close();
      }
    };
    const [ours, jobs] = [await stage.database('ours'), await stage.database('jobs')];
    const run = await latencyOf(await planwright(stage, ours, bin, 'nothing'));
    const job = await latencyOf(await boss(stage, jobs));
    await ours.close();
    await jobs.close();
    const note = `the median of ${DISPATCHES}; a bare job of pg-boss ${job.toFixed(0)} ms`;
    return [
      { name: 'from asking for a run to its driver at work', value: run, unit: 'ms', target: 500, note },
    ];
  } finally {
    await stage.close();
  }
}

export async function staged({ folder }: Stage): Promise<string> {
  const installed = join(folder, 'planwright');
  await stagePackage(installed);
  return join(installed, 'bin/planwright.js');
}
