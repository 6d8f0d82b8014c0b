import { createHash } from 'node:crypto';

/** Longer string values (in bytes) are kept outside the event, once for all events that hold the same. */
export const blobThreshold = 64 * 1024;

/** An event as it is stored. `packed` says that `body` holds references to the blobs beside it. */
export interface Packed {
  body: string;
  packed: boolean;
  blobs: { hash: string; text: string }[];
}

const isLong = (text: string): boolean =>
  text.length * 3 > blobThreshold && Buffer.byteLength(text) > blobThreshold;

/** A key that would read as a reference is written with one more `$`. */
const looksLikeReference = /^\$+blob$/;

/**
 * The event as text. Every string over the threshold becomes `{ "$blob": hash }`. Blobs hold JSON, because
 * half a surrogate pair would not survive as plain text.
 */
export function pack(event: unknown): Packed {
  const body = JSON.stringify(event);
  if (!isLong(body)) return { body, packed: false, blobs: [] };
  const blobs = new Map<string, string>();
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!isLong(value)) return value;
      const text = JSON.stringify(value);
      const hash = createHash('sha256').update(text).digest('hex');
      blobs.set(hash, text);
      return { $blob: hash };
    }
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    return mapEntries(value, (key) => (looksLikeReference.test(key) ? `$${key}` : key), walk);
  };
  const packed = walk(JSON.parse(body));
  if (blobs.size === 0) return { body, packed: false, blobs: [] };
  return {
    body: JSON.stringify(packed),
    packed: true,
    blobs: [...blobs].map(([hash, text]) => ({ hash, text })),
  };
}

/** Puts the blobs back. `textOf` gives a blob's text by its hash. */
export function unpack(body: string, packed: boolean, textOf: (hash: string) => string): unknown {
  const parsed: unknown = JSON.parse(body);
  if (!packed) return parsed;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    const hash = (value as { $blob?: unknown }).$blob;
    if (typeof hash === 'string') return JSON.parse(textOf(hash));
    return mapEntries(value, (key) => (looksLikeReference.test(key) ? key.slice(1) : key), walk);
  };
  return walk(parsed);
}

const mapEntries = (value: object, key: (k: string) => string, map: (v: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(value).map(([k, v]) => [key(k), map(v)]));
