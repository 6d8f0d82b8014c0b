import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from './places.ts';

export interface DebugEntry {
  at: string;
  /** What the model was asked for. */
  purpose: string;
  model: string;
  ms: number;
  prompt: string;
  answer: string;
}

/** Every call of a model, whole, for whoever wants to know why it answered so. One JSON object a line. */
export interface DebugLog {
  /** Never throws: a log that cannot be written ends no run. */
  write(entry: DebugEntry): void;
}

export interface DebugLogOptions {
  path: string;
  /** Hides secrets. */
  redact(text: string): string;
  maxBytes?: number;
  /** The one that is written to and the older ones, `.1` the newest of them. */
  files?: number;
}

export const debugLogPath = ({ data }: Places): string => join(data, 'debug', 'models.log');

/** No text of an entry is kept beyond this: one line must fit into a file. */
const MAX_TEXT = 1_000_000;

export function createDebugLog(options: DebugLogOptions): DebugLog {
  const { path, redact, maxBytes = 5 * 1024 * 1024, files = 5 } = options;
  const kept = (text: string) => redact(text).slice(0, MAX_TEXT);
  return {
    write({ prompt, answer, ...entry }) {
      try {
        const line = `${JSON.stringify({ ...entry, prompt: kept(prompt), answer: kept(answer) })}\n`;
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size > 0 && size + Buffer.byteLength(line) > maxBytes) rotate(path, files);
        appendFileSync(path, line, { mode: 0o600 });
        chmodSync(path, 0o600);
      } catch {
        // A full disk is told of by what matters more.
      }
    },
  };
}

/** Two processes that rotate at once may move one file too far: the log is then shorter, and whole. */
function rotate(path: string, files: number): void {
  const name = (n: number) => (n === 0 ? path : `${path}.${n}`);
  rmSync(name(files - 1), { force: true });
  for (let n = files - 2; n >= 0; n -= 1) {
    if (statSync(name(n), { throwIfNoEntry: false }) !== undefined) renameSync(name(n), name(n + 1));
  }
}
