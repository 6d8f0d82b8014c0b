import { readdirSync } from 'node:fs';
import type { LogName } from '../../../core/stream/index.ts';
import { endsIn } from './ends.ts';
import { fileNameOf, streamFolder } from './files.ts';

/**
 * The logs of a stream that a folder holds. What a log is of stands in its file's name only where it is short and plain: it
 * is looked for among the texts of the stream's events. `unknown` are those that none of them names.
 */
export function logsOf(
  root: string,
  stream: string,
  events: readonly unknown[],
): { logs: LogName[]; unknown: string[] } {
  const begun = begunIn(streamFolder(root, stream));
  if (begun.size === 0) return { logs: [], unknown: [] };
  const names = new Map<string, string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') names.set(fileNameOf(value), value);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
  };
  events.forEach(walk);
  const logs: LogName[] = [];
  const unknown: string[] = [];
  for (const log of begun) {
    const [, name = '', attempt] = /^(.*)\.(\d+)$/.exec(log) ?? [];
    const of = names.get(name) ?? (name.includes('~') ? undefined : name);
    if (of === undefined || attempt === undefined) unknown.push(log);
    else logs.push([stream, of, Number(attempt)]);
  }
  return { logs, unknown };
}

/** One to which nothing was written has no head, and has ended. */
function begunIn(folder: string): Set<string> {
  try {
    const heads = readdirSync(folder).filter((name) => name.endsWith('.head'));
    return new Set([...heads, ...endsIn(folder)].map((name) => name.slice(0, name.lastIndexOf('.'))));
  } catch {
    return new Set();
  }
}
