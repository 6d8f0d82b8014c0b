import type { OutputPart, OutputQuery } from '@contract';
import { useEffect, useMemo, useState } from 'react';
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

/** Where an output is read. It is the same value as long as it is the same output. */
export interface OutputSource {
  read(query: OutputQuery, signal: AbortSignal): Promise<OutputPart>;
  /** What of it came from stderr, where that is kept. */
  errors?(): Promise<readonly (readonly [number, number])[]>;
  /** Where a browser downloads the whole. */
  url: string;
}

/** Of one attempt of a step; null where there is none yet. */
export const useStepOutput = (id: string, stepId: string, attempt: number | null): OutputSource | null =>
  useMemo(
    () =>
      attempt === null
        ? null
        : {
            read: (query, signal) => client.output(id, stepId, attempt, query, { signal }),
            errors: async () => (await client.outputErrors(id, stepId, String(attempt))).ranges,
            url: client.outputUrl(id, stepId, attempt),
          },
    [id, stepId, attempt],
  );

/** Of one attempt of an agent run. */
export const useAgentOutput = (run: string, attempt: number): OutputSource =>
  useMemo(
    () => ({
      read: (query, signal) => client.agentOutput(run, attempt, query, { signal }),
      url: client.agentOutputUrl(run, attempt),
    }),
    [run, attempt],
  );

/** An output, read by offset to its end and on while it grows. */
export function useOutput(source: OutputSource | null): Output {
  const [output, setOutput] = useState(nothing);
  useEffect(() => {
    const first = nothing();
    setOutput(first);
    if (source === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = async () => {
      const { lines } = first;
      const chunks: Uint8Array[] = [];
      let noted = 0;
      for (let offset = 0, ended = false; !signal.aborted && !ended; ) {
        try {
          const query = { offset, limit: part, wait: waitMs };
          const told = await source.read(query, signal);
          const { bytes, next, size, ended: isLast } = told;
          if (told.noted > noted && source.errors !== undefined) lines.tell(await source.errors());
          if (signal.aborted) return;
          noted = told.noted;
          if (bytes.length > 0) {
            lines.add(bytes, offset);
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
  }, [source]);
  return output;
}
