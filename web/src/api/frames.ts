/** Calls back once for all that happened until the next frame, or soon where the page draws none. */
export function batchFrames<T>(deliver: (batch: T[]) => void): { push(item: T): void; stop(): void } {
  let batch: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  };
  const flush = () => {
    clear();
    const due = batch;
    batch = [];
    if (due.length > 0) deliver(due);
  };
  return {
    push(item) {
      batch.push(item);
      if (frame !== 0) return;
      frame = requestAnimationFrame(flush);
      // A hidden page draws no frames.
      timer = setTimeout(flush, 250);
    },
    stop: clear,
  };
}
