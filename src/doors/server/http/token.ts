import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Asker, ownerAt } from '../../app/asker.ts';

/** 256 random bits, as they stand in an address. */
const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** How a token is given where others may look: by what it is known by alone. */
const HASHED = /^sha256:([0-9a-f]{64})$/;

/** What the server keeps of a token that it was given: its hash. */
export const tokenHash = (given: string): string => HASHED.exec(given)?.[1] ?? hashOf(given);

/** Takes the same time whatever was guessed. */
const isSame = (given: string, wantedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(given), 'hex'), Buffer.from(wantedHash, 'hex'));

const MINUTE = 60_000;
const SESSION_MS = 30 * 24 * 60 * MINUTE;
const MOST = 100;

/** Hashes of secrets that were handed out, and until when each holds: the newest hundred. */
export type Kept = Record<string, number>;

export interface AccessOptions {
  /** Of the token that programs send; null: no program comes in. */
  tokenHash: string | null;
  cookieName: string;
  /** Of pages that were let in before, so that they go on after a restart. */
  sessions: { load(): Kept; save(sessions: Kept): void };
}

/**
 * Who may call: a program with the token, or a page with a cookie that it got for a code. Nothing that is kept here, in
 * memory or in a file, opens anything: it is hashes.
 */
export function createAccess({ tokenHash: wanted, cookieName, sessions }: AccessOptions) {
  const codes = new Map<string, number>();
  const pages = new Map(Object.entries(sessions.load()));
  const holds = (until: number | undefined): boolean => until !== undefined && Date.now() < until;
  const keep = (among: Map<string, number>, ms: number): string => {
    const secret = newSecret();
    among.set(hashOf(secret), Date.now() + ms);
    if (among.size > MOST) among.delete(among.keys().next().value!);
    return secret;
  };
  return {
    /** A cookie for a code that has not been used; null for anything else, the token too: addresses are kept by browsers. */
    exchange(given: string) {
      const key = hashOf(given);
      const isCode = holds(codes.get(key));
      codes.delete(key);
      if (!isCode) return null;
      const value = keep(pages, SESSION_MS);
      sessions.save(Object.fromEntries(pages));
      return {
        name: cookieName,
        value,
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: SESSION_MS / 1000,
      } as const;
    },
    /** Opens the page once: an address with it may be seen by others on this machine. */
    newCode: (minutes = 1): string => keep(codes, minutes * MINUTE),
    cookieName,
    /** Who the caller is, as far as it showed that it may; or null. Whoever has the token is its owner. */
    asker(authorization = '', cookie = ''): Asker | null {
      const bearer = /^Bearer (.+)$/i.exec(authorization)?.[1];
      if (bearer !== undefined) return wanted !== null && isSame(bearer, wanted) ? ownerAt('api') : null;
      return cookie !== '' && holds(pages.get(hashOf(cookie))) ? ownerAt('page') : null;
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
