import { createHash } from 'node:crypto';
import type { Output } from '../../core/stream/index.ts';

/** What is kept of a stream besides its output: pictures that were shown, and the text that its plan was fetched as. */
type Kind = 'picture' | 'fetched';

const logOf = (kind: Kind, hash: string): string => `${kind}:${hash}`;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Keeps bytes by their hash among the logs of a stream, which are removed with it: the journal has the hash alone. The same
 * is kept once, and what a crash left half written is completed. Rejects with a StoreError.
 */
export async function keepByHash(
  output: Pick<Output, 'writer' | 'read'>,
  stream: string,
  kind: Kind,
  bytes: Uint8Array,
): Promise<string> {
  const hash = sha256(bytes);
  const { size } = await output.read(stream, logOf(kind, hash), 0, 0, 1);
  if (size < bytes.length) {
    const writer = await output.writer(stream, logOf(kind, hash), 0);
    await writer.write(bytes.subarray(size));
    await writer.end();
  }
  return hash;
}

/** The bytes, exactly; null where they are not there any more. */
export async function readByHash(
  output: Pick<Output, 'read'>,
  stream: string,
  kind: Kind,
  { hash, length }: { hash: string; length: number },
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < length) {
    const { bytes } = await output.read(stream, logOf(kind, hash), 0, at, length - at);
    if (bytes.length === 0) return null;
    parts.push(bytes);
    at += bytes.length;
  }
  const whole = Buffer.concat(parts);
  return sha256(whole) === hash ? whole : null;
}
