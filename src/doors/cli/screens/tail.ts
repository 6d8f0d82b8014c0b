import { tailLimit } from '../render/run.ts';

/** The last lines of a stream of output, in bounded memory: what the live view shows under a running step. */
export interface ScreenTail {
  /** More output. Chunks may break lines, and colour sequences, anywhere. */
  push(chunk: string): void;
  lines(): string[];
  /** For the next attempt. */
  clear(): void;
}

const longestLine = 4096;

export function createTail(limit = tailLimit): ScreenTail {
  let whole: string[] = [];
  let open = '';
  return {
    push(chunk) {
      const parts = (open + chunk).split('\n');
      open = bounded(parts.pop() ?? '');
      whole = [...whole, ...parts.slice(-limit).map(bounded)].slice(-limit);
    },
    lines: () => (open === '' ? whole : [...whole, open]).slice(-limit),
    clear() {
      whole = [];
      open = '';
    },
  };
}

/** An overprinted line is as it was written last; of a very long one the beginning is shown. */
const bounded = (line: string): string =>
  line.length <= longestLine ? line : line.slice(line.lastIndexOf('\r') + 1).slice(0, longestLine);
