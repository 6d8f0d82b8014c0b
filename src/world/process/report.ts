import type { Readable } from 'node:stream';
import type { Session, Shell } from '../../core/contract/index.ts';
import { canBeDefined, type Environment, environmentChanges } from './environment.ts';
import { parseDeclared } from './exported-variables.ts';

/** Far above what a shell can hold in its environment; a child that writes here by mistake fills no memory. */
export const REPORT_LIMIT = 16 * 1024 * 1024;

/** What a sandbox refused without a word, as far as its own network and folders tell. */
export interface QuietRefusals {
  /** Packets for which there was no way out. */
  unreachable: number;
  /** Connections that nobody took, within the sandbox. */
  unheard: number;
  /** What was left in folders that are gone with the sandbox. */
  left: string[];
}

/**
 * Reads the wrapper's report: exported variables, NUL, directory, newline, NUL, status and command that was begun last,
 * NUL, variables that were asked for, NUL; from a sandbox also the counters of its network, NUL, paths line by line, NUL.
 */
export interface ReportReader {
  /** Resolves once the report is whole, or can no longer come. Never rejects. */
  finished: Promise<void>;
  /** The session that the script left, or null where it reported none. */
  session(base: Environment): Session | null;
  /** The command that was begun last, as bash prints it; null where it was not told. */
  last(): string | null;
  /** Those of the variables that were asked for which are set and not exported; null where it was not told. */
  variables(): Record<string, string> | null;
  /** Null where none came. */
  quietly(): QuietRefusals | null;
}

export function readReport(stream: Readable, shell: Shell, isInside = false): ReportReader {
  // PowerShell tells its session only.
  const parts = isInside ? 6 : shell === 'bash' ? 4 : 2;
  const chunks: Buffer[] = [];
  let size = 0;
  let ends = 0;
  const finished = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (ends >= parts || size > REPORT_LIMIT) return;
      chunks.push(chunk);
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) ends += 1;
      if (ends >= parts) resolve();
    });
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
  return {
    finished,
    session: (base) => (ends >= 2 ? parseReport(Buffer.concat(chunks), base) : null),
    variables: () => (shell === 'bash' && ends >= 4 ? variablesIn(Buffer.concat(chunks)) : null),
    last: () => (ends >= 3 ? lastBegun(Buffer.concat(chunks)) : null),
    quietly: () => (isInside && ends >= 6 ? parseRefusals(Buffer.concat(chunks)) : null),
  };
}

function lastBegun(report: Buffer): string | null {
  const [, , told = ''] = report.toString().split('\0');
  return told.slice(told.indexOf(' ') + 1) || null;
}

function variablesIn(report: Buffer): Record<string, string> | null {
  let from = 0;
  for (let part = 0; part < 3; part += 1) from = report.indexOf(0, from) + 1;
  const declared = parseDeclared(
    report.subarray(from, report.indexOf(0, from)),
    (flags) => !flags.includes('x'),
  );
  return declared && Object.fromEntries([...declared].filter(([name, value]) => canBeDefined(name, value)));
}

function parseRefusals(report: Buffer): QuietRefusals {
  const [, , , , counters = '', paths = ''] = report.toString().split('\0');
  return {
    unreachable: counterOf(counters, 'Ip', 'OutNoRoutes'),
    unheard: counterOf(counters, 'Tcp', 'AttemptFails'),
    // A pattern that matched nothing stands there itself.
    left: paths.split('\n').filter((path) => path !== '' && !path.includes('*')),
  };
}

/** Each protocol has a line of names, and one of values below it. */
function counterOf(counters: string, protocol: string, name: string): number {
  const lines = counters.split('\n').filter((line) => line.startsWith(`${protocol}:`));
  const [names = [], values = []] = lines.map((line) => line.trim().split(/\s+/));
  return Number(values[names.indexOf(name)]) || 0;
}

function parseReport(report: Buffer, base: Environment): Session | null {
  const middle = report.indexOf(0);
  const variables = parseDeclared(report.subarray(0, middle));
  const cwd = report.subarray(middle + 1, report.indexOf(0, middle + 1) - 1).toString();
  if (!variables || !cwd.startsWith('/')) return null;
  return { cwd, env: environmentChanges(base, variables) };
}
