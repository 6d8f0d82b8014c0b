import type { Readable } from 'node:stream';
import type { Session } from '../../core/contract/index.ts';
import { type Environment, environmentChanges } from './environment.ts';
import { parseExportedVariables } from './exported-variables.ts';

/** Far above what a shell can hold in its environment; a child that writes here by mistake fills no memory. */
const REPORT_LIMIT = 16 * 1024 * 1024;

/** Reads the wrapper's report: exported variables, NUL, directory, newline, NUL. */
export interface ReportReader {
  /** Resolves once the report is whole, or can no longer come. Never rejects. */
  finished: Promise<void>;
  /** The session that the script left, or null where it reported none. */
  session(base: Environment): Session | null;
}

export function readReport(stream: Readable): ReportReader {
  const chunks: Buffer[] = [];
  let size = 0;
  let ends = 0;
  const finished = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (ends >= 2 || size > REPORT_LIMIT) return;
      chunks.push(chunk);
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) ends += 1;
      if (ends >= 2) resolve();
    });
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
  return { finished, session: (base) => (ends >= 2 ? parseReport(Buffer.concat(chunks), base) : null) };
}

function parseReport(report: Buffer, base: Environment): Session | null {
  const middle = report.indexOf(0);
  const variables = parseExportedVariables(report.subarray(0, middle));
  const cwd = report.subarray(middle + 1, report.indexOf(0, middle + 1) - 1).toString();
  if (!variables || !cwd.startsWith('/')) return null;
  return { cwd, env: environmentChanges(base, variables) };
}
