import type { ClaimSeen, Driver, Workload } from '../../../core/contract/index.ts';
import type { Clock, Workers } from '../../../core/stream/index.ts';
import { FORGOTTEN_MS, type WorkerRecord, workerSeen } from '../worker-rules.ts';
import type { Database } from './database.ts';

export function createWorkers(db: Database, process: string, { pid, host }: Driver, clock: Clock): Workers {
  const keep = db.prepare(`
    INSERT INTO workers (process, pid, host, report, heard_at) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (process) DO UPDATE SET report = ?4, heard_at = ?5`);
  const forget = db.prepare('DELETE FROM workers WHERE process = ? OR heard_at < ?');
  const all = db.prepare(`
    SELECT w.pid, w.host, w.report, w.heard_at AS heardAt,
      (SELECT count(*) FROM claims c WHERE c.process = w.process) AS claims
    FROM workers w WHERE w.heard_at >= ? ORDER BY w.heard_at DESC, w.process`);
  const claims = db.prepare(`
    SELECT s.name AS stream, s.kind, p.host, p.pid FROM claims c JOIN streams s ON s.id = c.stream
    JOIN processes p ON p.id = c.process ORDER BY c.epoch DESC LIMIT ?`);
  const workload = db.prepare(`
    SELECT (SELECT count(*) FROM listing l WHERE l.due_at <= ?1
        AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.stream = l.stream)) AS due,
      (SELECT count(*) FROM claims) AS claimed,
      (SELECT count(*) FROM listing l WHERE l.ended_at >= ?2 AND l.kind = 'run') AS ended`);
  return {
    // What it says is of this moment: nothing is lost with it.
    report: (report) =>
      db.write(() => void keep.run(process, pid, host, JSON.stringify(report), clock.now()), {
        ofThisBoot: true,
      }),
    leave: () => db.write(() => void forget.run(process, clock.now() - FORGOTTEN_MS), { ofThisBoot: true }),
    list: () =>
      db.read(() => {
        const now = clock.now();
        const found = all.all(now - FORGOTTEN_MS) as unknown as WorkerRecord[];
        return found.map((record) => workerSeen({ ...record }, now));
      }),
    claims: (limit) => db.read(() => claims.all(limit).map((row) => ({ ...row }) as unknown as ClaimSeen)),
    workload: ({ now, since }) => db.read(() => ({ ...workload.get(now, since) }) as unknown as Workload),
  };
}
