import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';

export interface SeatsOptions<D extends object> {
  queue: string;
  /** How many more may be taken up now, beside so many that are at work. */
  room(atWork: number): number;
  /** Whoever has a job and is not heard of for so long is taken for dead. */
  heartbeatSeconds: number;
  /** Where it rejects, the job is tried again, here or elsewhere. */
  perform(job: Job<D>): Promise<void>;
}

/** Takes jobs of a queue up while there are places. */
export interface Seats {
  /** There may be something in the queue. */
  look(): void;
  /** Takes up nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

const LOOK_MS = 1000;
/**
 * So long a place that has become free waits for others, while some are at work: one question gives back and takes up for all of
 * them. Beside what a run does it is nothing, and whoever waits for a run alone does not wait for it.
 */
const GATHER_MS = 15;

/**
 * A job is taken when there is a place for it, never ahead: another worker may have one. One loop asks for all places:
 *
 *   give back what is done ──▶ take as many as there are places ──▶ wait: something is done, said to be there, or it is time
 */
export function openSeats<D extends object>(boss: PgBoss, options: SeatsOptions<D>): Seats {
  const { queue, heartbeatSeconds, perform } = options;
  const atWork = new Map<string, Job<D>>();
  let done: { job: Job<D>; failed: Error | null }[] = [];
  let isStopped = false;
  let isSaid = false;
  let waken = () => {};
  const room = (): number => options.room(atWork.size);

  const begin = async (job: Job<D>): Promise<void> => {
    const failed = await perform(job).then(
      () => null,
      (error: Error) => error,
    );
    atWork.delete(job.id);
    done.push({ job, failed });
    waken();
  };
  /** What cannot be given back is not heard of any more, and given to others: they find nothing to do. */
  const giveBack = async (): Promise<void> => {
    const over = done;
    done = [];
    const completed = over.filter(({ failed }) => failed === null).map(({ job }) => job);
    if (completed.length > 0) await boss.complete(queue, completed).catch(() => {});
    for (const { job, failed } of over)
      if (failed !== null) await boss.fail(queue, job, failed).catch(() => {});
  };
  const take = async (): Promise<void> => {
    isSaid = false;
    const batchSize = room();
    if (isStopped || batchSize <= 0) return;
    // A queue that cannot be asked is asked again.
    const jobs = await boss.fetch<D>(queue, { batchSize, groupConcurrency: 1 }).catch(() => []);
    for (const job of jobs) {
      atWork.set(job.id, job);
      void begin(job);
    }
  };
  const untilWoken = async (ms: number): Promise<void> => {
    const over = new AbortController();
    waken = () => over.abort();
    await sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  };
  const waitWhile = async (isQuiet: () => boolean, ms: number): Promise<void> => {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && isQuiet(); left = until - performance.now()) await untilWoken(left);
  };
  const isWanted = (): boolean => isSaid && room() > 0;
  const isOver = (): boolean => isStopped && atWork.size === 0;
  const working = (async () => {
    while (!isOver() || done.length > 0) {
      await giveBack();
      await take();
      await waitWhile(() => done.length === 0 && !isWanted() && !isOver(), LOOK_MS);
      await waitWhile(() => done.length > 0 && atWork.size > 0 && !isWanted() && !isStopped, GATHER_MS);
    }
  })();
  const beating = setInterval(() => {
    const jobs = [...atWork.values()];
    if (jobs.length > 0) boss.touch(queue, jobs).catch(() => {});
  }, heartbeatSeconds * 300);

  return {
    look() {
      isSaid = true;
      waken();
    },
    async stop() {
      isStopped = true;
      waken();
      await working;
      clearInterval(beating);
    },
  };
}
