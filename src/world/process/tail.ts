/** How much of each stream is kept with a result, for people and brains. */
export const TAIL_BYTES = 8 * 1024;

/** Keeps the end of a stream. */
export interface Tail {
  add(bytes: Uint8Array): void;
  bytes(): Buffer;
  /** As text, from the first whole character on. */
  text(): string;
}

export function keepTail(limit = TAIL_BYTES): Tail {
  let kept: Uint8Array[] = [];
  let size = 0;
  const whole = (): Buffer => {
    const joined = Buffer.concat(kept);
    return joined.subarray(Math.max(0, joined.length - limit));
  };
  return {
    add(bytes) {
      // A copy: the last bytes of a large chunk must not keep all of it in memory.
      const end = bytes.length > limit ? bytes.slice(-limit) : bytes.slice();
      kept.push(end);
      size += end.length;
      if (size <= 2 * limit && kept.length < 256) return;
      kept = [Uint8Array.from(whole())];
      size = kept[0]!.length;
    },
    bytes: whole,
    text() {
      const end = whole();
      let start = 0;
      // At most three bytes can follow the first of a character that was cut off.
      while (start < 3 && end.length === limit && (end[start]! & 0xc0) === 0x80) start += 1;
      return end.subarray(start).toString();
    },
  };
}
