import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CallOutcome, type ModelRole, printModelName } from '../../core/contract/index.ts';
import type { SentCall } from '../../world/models/index.ts';
import type { Places } from './places.ts';

export interface DebugEntry {
  at: string;
  /** What the model was asked for. */
  purpose: string;
  /** The run that it was asked in; null where it was in none. */
  run: string | null;
  role: ModelRole;
  model: string;
  ms: number;
  outcome: CallOutcome;
  /** How it failed. */
  message?: string;
  prompt: string;
  /** As it came, also where it could not be used. */
  answer: string;
}

export const entryOf = ({ stream, system, messages, model, ...call }: SentCall, now: number): DebugEntry => ({
  at: new Date(now).toISOString(),
  run: stream,
  ...call,
  model: printModelName(model),
  prompt: [system, ...messages.map(({ content }) => content)].filter((text) => text !== '').join('\n\n'),
});

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
    write({ prompt, answer, message, ...entry }) {
      try {
        const line = `${JSON.stringify({ ...entry, ...(message === undefined ? {} : { message: kept(message) }), prompt: kept(prompt), answer: kept(answer) })}\n`;
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size + Buffer.byteLength(line) > maxBytes) rotate(path, files);
        appendFileSync(path, line, { mode: 0o600 });
      } catch {
        // A full disk is told of by what matters more.
      }
    },
  };
}

/** Two processes that rotate at once may move one file too far: the log is then shorter, and whole. */
function rotate(path: string, files: number): void {
  const name = (n: number) => (n === 0 ? path : `${path}.${n}`);
  for (let n = files - 2; n >= 0; n -= 1) {
    if (statSync(name(n), { throwIfNoEntry: false }) !== undefined) renameSync(name(n), name(n + 1));
  }
}
