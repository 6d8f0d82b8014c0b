import { createHash } from 'node:crypto';
import type { JobInsert, PgBoss } from 'pg-boss';
import { hostId } from '../../core/contract/index.ts';

/** For any machine; a stream of one machine is passed on to that one's own queue, whatever it is called by then. */
export const anywhere = 'activations';
export const queueAt = (host: string): string =>
  `${anywhere}-${createHash('sha256').update(hostId(host)).digest('hex').slice(0, 24)}`;

/** One of a stream is waiting at most; one of it is active at most. */
export const jobOf = (
  stream: string,
  priority = 0,
): Pick<JobInsert, 'singletonKey' | 'group' | 'priority'> => ({
  singletonKey: stream,
  group: { id: stream },
  priority,
});

/**
 * A job is alive while its worker says so every few seconds; else it is given to another within 15 s. It is given to others as
 * often as it takes: whether anything is done twice is not decided here but by the claim of its stream.
 */
const ofQueues = {
  policy: 'short',
  notify: true,
  retryLimit: 10_000,
  retryDelay: 1,
  expireInSeconds: 24 * 60 * 60 - 1,
  retentionSeconds: 30 * 24 * 60 * 60,
  deleteAfterSeconds: 60,
} as const;

export async function makeQueue(boss: PgBoss, name: string, heartbeatSeconds: number): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...ofQueues, heartbeatSeconds });
}

/** Whether nothing is waiting or active. */
export async function isQuiet(boss: PgBoss, schema: string, queues: readonly string[]): Promise<boolean> {
  const sql = `SELECT 1 FROM ${schema}.job WHERE name = ANY ($1) AND state < 'completed' LIMIT 1`;
  return (await boss.getDb().executeSql(sql, [queues])).rows.length === 0;
}

export async function depthOf(boss: PgBoss, schema: string): Promise<{ waiting: number; active: number }> {
  const sql = `SELECT count(*) FILTER (WHERE state < 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS active
    FROM ${schema}.job WHERE state < 'completed'`;
  const [found] = (await boss.getDb().executeSql(sql, [])).rows as { waiting: string; active: string }[];
  return { waiting: Number(found?.waiting ?? 0), active: Number(found?.active ?? 0) };
}
