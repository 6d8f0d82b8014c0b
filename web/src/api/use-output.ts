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

/**
 * Reads an output by offset to its end, and on while it grows. What is there is told at once, also after the server was
 * away: only what comes after that is waited for.
 */
export async function readOn(
  source: OutputSource,
  signal: AbortSignal,
  tell: (output: Output) => void,
  pause = () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs)),
): Promise<void> {
  const chunks: Uint8Array[] = [];
  let output: Output = { ...nothing(), chunks };
  const { lines } = output;
  let noted = 0;
  let wait = 0;
  for (let offset = 0; !signal.aborted && !output.ended; ) {
    try {
      const told = await source.read({ offset, limit: part, wait }, signal);
      const { bytes, next, size, ended } = told;
      if (told.noted > noted && source.errors !== undefined) lines.tell(await source.errors());
      if (signal.aborted) return;
      noted = told.noted;
      if (bytes.length > 0) {
        lines.add(bytes, offset);
        chunks.push(bytes);
      }
      offset = next;
      wait = waitMs;
      output = { lines, chunks, size, ended: ended && next >= size, isRead: next >= size, error: null };
      tell(output);
    } catch (cause) {
      if (signal.aborted) return;
      wait = 0;
      output = { ...output, error: cause instanceof Error ? cause : new Error(String(cause)) };
      tell(output);
      await pause();
    }
  }
}

export function useOutput(source: OutputSource | null): Output {
  const [output, setOutput] = useState(nothing);
  useEffect(() => {
    setOutput(nothing());
    if (source === null) return;
    const leaving = new AbortController();
    void readOn(source, leaving.signal, setOutput);
    return () => leaving.abort();
  }, [source]);
  return output;
}
