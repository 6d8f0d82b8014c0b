import type { Output } from '../../../core/stream/index.ts';
import { backgroundPause } from '../clock.ts';

const followBytes = 64 * 1024;

/** Follows a log by reading it: after `quickMs` where something came, and up to `slowMs` while nothing does. */
export const followBy = (read: Output['read'], quickMs: number, slowMs: number): Output['follow'] =>
  async function* follow(stream, of, attemptIndex, signal, from = 0) {
    let [offset, wait] = [from, quickMs];
    while (!signal.aborted) {
      const chunk = await read(stream, of, attemptIndex, offset, followBytes);
      if (chunk.bytes.length > 0) {
        yield chunk;
        wait = quickMs;
      } else if (chunk.isEnded) return;
      else {
        await backgroundPause(wait, signal);
        wait = Math.min(slowMs, wait * 1.5);
      }
      offset = chunk.next;
    }
  };
