import type { Passes } from '../../../core/stream/index.ts';
import type { EventStreams } from './stream.ts';

/**
 * Whoever was let in reads on for as long as their stream is open. Where a pass that has let somebody in (`letIn`) holds no
 * longer, revoked here or on another server, all streams end: who may comes back by themselves. Answers what stops it.
 */
export function endRevoked(
  passes: Passes,
  letIn: Set<string>,
  streams: EventStreams,
  everyMs: number,
): () => void {
  let isLooking = false;
  const look = async () => {
    // Those who come in meanwhile are looked at the next time.
    const before = [...letIn];
    const now = new Set((await passes.list()).map(({ hash }) => hash));
    const gone = before.filter((hash) => !now.has(hash));
    for (const hash of gone) letIn.delete(hash);
    if (gone.length > 0) streams.renew();
  };
  const timer = setInterval(() => {
    if (isLooking || streams.count() === 0) return;
    isLooking = true;
    // A store that does not answer is told of by those who ask it for something.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
