import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Role, roles } from '../../core/contract/index.ts';
import type { Passes } from '../../core/stream/index.ts';
import { AppError } from './errors.ts';

/** 256 random bits, as they stand in an address or in a header. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** How a secret is given where others may look: by what it is known by alone. */
const HASHED = /^sha256:([0-9a-f]{64})$/;

/** What is kept of a secret that was given: its hash. */
export const hashGiven = (given: string): string => HASHED.exec(given)?.[1] ?? hashOf(given);

/** Takes the same time whatever was guessed. */
export const isSame = (given: string, wantedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(given), 'hex'), Buffer.from(wantedHash, 'hex'));

const NAME = /^[^\s,\p{C}][^,\p{C}]{0,98}[^\s,\p{C}]$|^[^\s,\p{C}]$/u;

/** Whether the journal can name somebody so: one line, and not two names in one. */
export const isName = (name: string): boolean => NAME.test(name);

/** A token for a person, which is told once. Rejects with an AppError where they have one. */
export async function addToken(passes: Passes, person: string, role: Role): Promise<string> {
  if (!isName(person))
    throw new AppError('usage', 'a name is one line of up to 100 characters, without commas');
  const secret = newSecret();
  const isKept = await passes.keep({ hash: hashOf(secret), kind: 'token', person, scope: roles[role] }, null);
  if (isKept) return secret;
  throw new AppError(
    'usage',
    `${person} has a token already; planwright token revoke ${person} takes it back`,
  );
}
