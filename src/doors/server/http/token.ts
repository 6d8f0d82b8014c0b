import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Asker, ownerAt } from '../../app/asker.ts';

/** 256 random bits, as they stand in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes the same time whatever was guessed. */
export const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted));

export const hashOf = (token: string): string => digest(token).toString('hex');

/** What a browser keeps: not the token itself, so that a stolen cookie opens the page and nothing else. */
export const cookieValue = (token: string): string =>
  createHmac('sha256', token).update('planwright cookie').digest('base64url');

const DAYS = 30;
const CODE_MS = 60_000;
const MOST_CODES = 100;

/** Who may call: a program with the token, or a page with the cookie. */
export function createAccess(token: string, cookieName: string) {
  const expected = cookieValue(token);
  const codes = new Map<string, number>();
  const takeCode = (given: string): boolean => {
    const key = hashOf(given);
    const until = codes.get(key);
    codes.delete(key);
    return until !== undefined && Date.now() < until;
  };
  return {
    /** The token, or a code that has not been used. */
    isToken: (given: string) => isSame(given, token) || takeCode(given),
    /** Stands for the token once, for a minute: an address with it may be seen by others on this machine. */
    newCode(): string {
      const code = newToken();
      codes.set(hashOf(code), Date.now() + CODE_MS);
      if (codes.size > MOST_CODES) codes.delete(codes.keys().next().value!);
      return code;
    },
    /** Who the caller is, as far as it showed that it may; or null. Whoever has the token is its owner. */
    asker(authorization = '', cookie = ''): Asker | null {
      const bearer = /^Bearer (.+)$/i.exec(authorization)?.[1];
      if (bearer !== undefined) return isSame(bearer, token) ? ownerAt('api') : null;
      return isSame(cookie, expected) ? ownerAt('page') : null;
    },
    cookie: {
      name: cookieName,
      value: expected,
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: DAYS * 24 * 60 * 60,
    } as const,
  };
}
export type Access = ReturnType<typeof createAccess>;
