import { createHash } from 'node:crypto';
import { MAX_PICTURE_BYTES, type Picture, pictureType } from '../../core/contract/index.ts';
import type { Output } from '../../core/stream/index.ts';

const logOf = (hash: string): string => `picture:${hash}`;

/**
 * Keeps a picture among the logs of a stream, which are removed with it: the journal has its name alone. The same picture is
 * kept once, and what a crash left half written is completed. Rejects with a StoreError.
 */
export async function keepPicture(
  output: Pick<Output, 'writer' | 'read'>,
  stream: string,
  name: string,
  bytes: Uint8Array,
): Promise<Picture> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const { size } = await output.read(stream, logOf(hash), 0, 0, 1);
  if (size < bytes.length) {
    const writer = await output.writer(stream, logOf(hash), 0);
    await writer.write(bytes.subarray(size));
    await writer.end();
  }
  return { hash, type: pictureType(bytes)!, bytes: bytes.length, name: name.slice(0, 200) };
}

/** Its bytes, exactly; null where they are not there any more. */
export async function readPicture(
  output: Pick<Output, 'read'>,
  stream: string,
  { hash, bytes: length }: Pick<Picture, 'hash' | 'bytes'>,
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < Math.min(length, MAX_PICTURE_BYTES)) {
    const { bytes } = await output.read(stream, logOf(hash), 0, at, length - at);
    if (bytes.length === 0) return null;
    parts.push(bytes);
    at += bytes.length;
  }
  const whole = Buffer.concat(parts);
  return createHash('sha256').update(whole).digest('hex') === hash ? whole : null;
}
