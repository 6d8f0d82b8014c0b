import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sealing } from '../../core/stream/index.ts';
import { StoreError, toStoreError } from './errors.ts';

/** A key is one for sealing and one for naming; in a file there is a sum behind it, by which damage is noticed. */
const PART = 32;
const IV = 12;
const TAG = 16;
const NAME = 22;

const sumOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest();

/** The key of a store. Throws a StoreError where there is none and none is to be made. */
type KeyOf = (how: 'make' | 'find') => Buffer;

/**
 * The key of a data folder. It is made when something is first sealed or named, and read once. Throws a StoreError where it
 * is missing or damaged and something is to be opened.
 */
function keyIn(dir: string): KeyOf {
  const file = join(dir, 'sealing.key');
  let known: Buffer | null = null;
  return (how) => {
    known ??= readKey(file) ?? (how === 'make' ? makeKey(file) : null);
    if (known === null) throw keyError(file, 'is missing');
    return known;
  };
}

/** The key of a data folder as it is carried to another store; null where nothing was ever sealed there. */
export const carriedKey = (dir: string): Buffer | null => readKey(join(dir, 'sealing.key'));

export const newKey = (): Buffer => randomBytes(2 * PART);

/** Seals with the key of a data folder. */
export const createSealing = (dir: string): Sealing => sealingWith(keyIn(dir));

/** AES-256-GCM, and HMAC-SHA-256 for names. */
export function sealingWith(key: KeyOf): Sealing {
  return {
    seal(value) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', key('make').subarray(0, PART), iv);
      const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const opening = key('find').subarray(0, PART);
      try {
        const decipher = createDecipheriv('aes-256-gcm', opening, bytes.subarray(0, IV), {
          authTagLength: TAG,
        });
        decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
        return decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
    nameOf: (value) =>
      createHmac('sha256', key('make').subarray(PART)).update(value).digest('base64url').slice(0, NAME),
  };
}

const keyError = (file: string, what: string): StoreError =>
  new StoreError(
    'store-key',
    `The key ${file} ${what}: what runs have to hide cannot be known without it. Bring the file back from a backup of this folder.`,
  );

/** Null where there is none. */
function readKey(file: string): Buffer | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw toStoreError(error, file);
  }
  const key = bytes.subarray(0, 2 * PART);
  if (!sumOf(key).equals(bytes.subarray(2 * PART))) throw keyError(file, 'is damaged');
  return key;
}

/** Whole and durable before it has its name, which only the first of several who make one at once can give. */
function makeKey(file: string): Buffer {
  const made = newKey();
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const fd = openSync(draft, 'wx', 0o600);
    try {
      writeSync(fd, Buffer.concat([made, sumOf(made)]));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkSync(draft, file);
    syncFolder(dirname(file));
    return made;
  } catch (error) {
    const theirs = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKey(file) : null;
    if (theirs !== null) return theirs;
    throw toStoreError(error, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
