import { useEffect, useState } from 'react';
import { LogLines } from '../model/log.ts';
import { client } from './client.ts';

/** What has been read so far. Lines and chunks grow in place; each reading makes a new `Output` around them. */
export interface Output {
  lines: LogLines;
  /** The bytes as they came, for a terminal. */
  chunks: readonly Uint8Array[];
  size: number;
  ended: boolean;
  /** All that is there has been read once. */
  isRead: boolean;
  error: Error | null;
}

const part = 512 * 1024;
const waitMs = 4000;
const pauseMs = 1500;

const nothing = (): Output => ({
  lines: new LogLines(),
  chunks: [],
  size: 0,
  ended: false,
  isRead: false,
  error: null,
});

/** The output of one attempt, read by offset to its end and on while it grows. */
export function useOutput(id: string, stepId: string, attempt: number | null): Output {
  const [output, setOutput] = useState(nothing);
  useEffect(() => {
    const first = nothing();
    setOutput(first);
    if (attempt === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = async () => {
      const { lines } = first;
      const chunks: Uint8Array[] = [];
      for (let offset = 0, ended = false; !signal.aborted && !ended; ) {
        try {
          const query = { offset, limit: part, wait: waitMs };
          const told = await client.output(id, stepId, attempt, query, { signal });
          const { bytes, next, size, ended: isLast } = told;
          if (signal.aborted) return;
          if (bytes.length > 0) {
            lines.add(bytes);
            chunks.push(bytes);
          }
          offset = next;
          ended = isLast && next >= size;
          setOutput({ lines, chunks, size, ended, isRead: next >= size, error: null });
        } catch (cause) {
          if (signal.aborted) return;
          const error = cause instanceof Error ? cause : new Error(String(cause));
          setOutput((before) => ({ ...before, error }));
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    };
    void read();
    return () => leaving.abort();
  }, [id, stepId, attempt]);
  return output;
}
