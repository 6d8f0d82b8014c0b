import { useEffect, useRef, useState } from 'react';
import { LogLines } from '../model/log.ts';
import { client } from './client.ts';

export interface Output {
  lines: LogLines;
  version: number;
  size: number;
  ended: boolean;
  error: Error | null;
  /** The bytes as they came, for a terminal. */
  chunks: Uint8Array[];
}

const part = 512 * 1024;
const waitMs = 4000;

/** The output of one attempt, read by offset to its end and on while it grows. */
export function useOutput(id: string, stepId: string, attempt: number | null): Output {
  const [, redraw] = useState(0);
  const key = `${id}/${stepId}/${attempt}`;
  const held = useRef<{ key: string; output: Output }>({ key: '', output: fresh() });
  if (held.current.key !== key) held.current = { key, output: fresh() };
  const { output } = held.current;
  useEffect(() => {
    if (attempt === null) return;
    let gone = false;
    const read = async () => {
      let offset = 0;
      while (!gone && !output.ended) {
        try {
          const { bytes, next, size, ended } = await client.output(id, stepId, attempt, {
            offset,
            limit: part,
            wait: waitMs,
          });
          if (gone) return;
          output.error = null;
          if (bytes.length > 0) {
            output.lines.add(bytes);
            output.chunks.push(bytes);
          }
          offset = next;
          output.size = size;
          output.ended = ended && next >= size;
        } catch (error) {
          if (gone) return;
          output.error = error instanceof Error ? error : new Error(String(error));
          redraw((n) => n + 1);
          await new Promise((resolve) => setTimeout(resolve, 1500));
        }
        output.version += 1;
        redraw((n) => n + 1);
      }
    };
    void read();
    return () => {
      gone = true;
      // Whoever comes back begins anew, at the first byte.
      held.current = { key: '', output: fresh() };
    };
  }, [id, stepId, attempt, output]);
  return output;
}

const fresh = (): Output => ({
  lines: new LogLines(),
  version: 0,
  size: 0,
  ended: false,
  error: null,
  chunks: [],
});
