import { createHash } from 'node:crypto';
import type { Output } from '../../core/stream/index.ts';

/** In pieces that no log is too short for. */
const PIECE = 4 * 1024 * 1024;
const READ = 1024 * 1024;

const logOf = (stream: string, name: string, piece: number) => [stream, `parcel-${name}`, piece] as const;

/**
 * Keeps bytes among the logs of a stream, where every machine finds them and which go with it. May be done again: what was written
 * before a crash is gone on from.
 */
export async function keepParcel(
  output: Output,
  stream: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  for (let piece = 0; piece * PIECE < bytes.length || piece === 0; piece += 1) {
    const whole = bytes.subarray(piece * PIECE, (piece + 1) * PIECE);
    const log = logOf(stream, name, piece);
    const { size, isEnded } = await output.read(...log, 0, 1);
    if (isEnded && size === whole.length) continue;
    const writer = await output.writer(...log);
    await writer.write(whole.subarray(size));
    await writer.end();
  }
}

/** Throws where it is not there as it was. */
export async function readParcel(output: Output, stream: string, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let piece = 0; ; piece += 1) {
    const log = logOf(stream, name, piece);
    let at = 0;
    for (;;) {
      const { bytes, next } = await output.read(...log, at, READ);
      if (bytes.length === 0) break;
      parts.push(bytes);
      at = next;
    }
    if (at < PIECE) break;
  }
  const whole = Buffer.concat(parts);
  if (createHash('sha256').update(whole).digest('hex') === name) return whole;
  throw new Error(`what was carried of ${stream} is not whole any more`);
}
