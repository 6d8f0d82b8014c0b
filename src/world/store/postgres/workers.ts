import type { ClaimSeen, Driver, Workload } from '../../../core/contract/index.ts';
import type { Workers } from '../../../core/stream/index.ts';
import { FORGOTTEN_MS, type WorkerRecord, workerSeen } from '../worker-rules.ts';
import type { PostgresDatabase } from './connection.ts';

export const createWorkers = (db: PostgresDatabase, process: string, { pid, host }: Driver): Workers => ({
  async report(report) {
    await db.query(
      `INSERT INTO workers (process, pid, host, report, heard_at) VALUES ($1, $2, $3, $4, now_ms())
       ON CONFLICT (process) DO UPDATE SET report = excluded.report, heard_at = excluded.heard_at`,
      [process, pid, host, JSON.stringify(report)],
    );
  },
  async leave() {
    await db.query('DELETE FROM workers WHERE process = $1 OR heard_at < now_ms() - $2::double precision', [
      process,
      FORGOTTEN_MS,
    ]);
  },
  async list() {
    const found = await db.query<WorkerRecord & { now: number }>(
      `SELECT w.pid, w.host, w.report, w.heard_at AS "heardAt", now_ms() AS now,
         (SELECT count(*) FROM claims c WHERE c.process = w.process) AS claims
       FROM workers w WHERE w.heard_at >= now_ms() - $1::double precision ORDER BY w.heard_at DESC, w.process`,
      [FORGOTTEN_MS],
    );
    return found.map(({ now, ...record }) => workerSeen(record, now));
  },
  claims: (limit) =>
    db.query<ClaimSeen>(
      `SELECT s.name AS stream, s.kind, p.host, p.pid FROM claims c JOIN streams s ON s.id = c.stream
       JOIN processes p ON p.id = c.process ORDER BY c.epoch DESC LIMIT $1`,
      [limit],
    ),
  async workload({ now, since }) {
    const [found] = await db.query<Workload>(
      `SELECT (SELECT count(*) FROM listing l WHERE l.due_at <= $1
           AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.stream = l.stream)) AS due,
         (SELECT count(*) FROM claims) AS claimed,
         (SELECT count(*) FROM listing l WHERE l.ended_at >= $2 AND l.kind = 'run') AS ended`,
      [now, since],
    );
    return found!;
  },
});
