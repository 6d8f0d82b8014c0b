import { sha256Hex } from '../../core/contract/index.ts';
import { randomBytes } from '../../world/process/random.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A run's id: 60 random bits, lower case, no letters that read alike. A few first characters tell runs apart. */
export const newRunId = (): string => idOf(randomBytes(12));

/** The id of the run that a key makes: always the same. */
export const runIdFor = (key: string): string => idOf(Buffer.from(sha256Hex(key).slice(0, 24), 'hex'));

const idOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => alphabet[byte & 31]).join('');

/** Names an append or a request, unique for ever. */
export function newKey(): string {
  if (drawn === pool.length) {
    pool = randomBytes(AT_ONCE * KEY_BYTES);
    drawn = 0;
  }
  drawn += KEY_BYTES;
  return pool.toString('base64url', drawn - KEY_BYTES, drawn);
}

const KEY_BYTES = 16;
/** Drawn for many keys at once: each step needs several, and asking the system is most of what one costs. */
const AT_ONCE = 64;
let pool: Buffer = Buffer.alloc(0);
let drawn = 0;
