import type { WorkerReport, WorkerSeen } from '../../core/contract/index.ts';

/** Who was not heard of for so long may be gone; who was not for an hour is. */
const SILENT_MS = 30_000;
export const FORGOTTEN_MS = 60 * 60_000;

export interface WorkerRecord {
  pid: number;
  host: string;
  report: string;
  heardAt: number;
  claims: number;
}

export function workerSeen({ report, ...seen }: WorkerRecord, now: number): WorkerSeen {
  return { ...(JSON.parse(report) as WorkerReport), ...seen, isSilent: now - seen.heardAt > SILENT_MS };
}
