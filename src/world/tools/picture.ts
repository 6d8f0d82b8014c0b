import { MAX_PICTURE_BYTES, type Picture, pictureType } from '../../core/contract/index.ts';
import type { Output } from '../../core/stream/index.ts';
import { keepByHash, readByHash } from './kept.ts';

/** Keeps a picture with a stream: the journal has its name alone. Rejects with a StoreError. */
export async function keepPicture(
  output: Pick<Output, 'writer' | 'read'>,
  stream: string,
  name: string,
  bytes: Uint8Array,
): Promise<Picture> {
  const hash = await keepByHash(output, stream, 'picture', bytes);
  return { hash, type: pictureType(bytes)!, bytes: bytes.length, name: name.slice(0, 200) };
}

/** Its bytes, exactly; null where they are not there any more. */
export const readPicture = (
  output: Pick<Output, 'read'>,
  stream: string,
  { hash, bytes }: Pick<Picture, 'hash' | 'bytes'>,
): Promise<Uint8Array | null> =>
  readByHash(output, stream, 'picture', { hash, length: Math.min(bytes, MAX_PICTURE_BYTES) });
