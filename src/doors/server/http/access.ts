import type { Actor } from '../../../core/contract/index.ts';
import type { Pass, Passes } from '../../../core/stream/index.ts';
import { type Asker, ownerAt } from '../../app/asker.ts';
import { hashOf, isSame, newSecret } from '../../app/passes.ts';
import type { TrustedProxy } from './proxy.ts';

const MINUTE = 60_000;
const SESSION_MS = 30 * 24 * 60 * MINUTE;

export interface AccessOptions {
  /** Of the token that this server was started with, which is its owner's; null: there is none. */
  tokenHash: string | null;
  cookieName: string;
  passes: Passes;
  /** Who else says who it is; null: nobody. */
  proxy: TrustedProxy | null;
  /** The passes that have let somebody in are added, by their hashes. */
  letIn: Set<string>;
}

/** What a caller shows of itself. */
export interface Shown {
  header(name: string): string | undefined;
  cookie: string | undefined;
  /** The address at the other end of the connection. */
  address: string | undefined;
}

const askerOf = ({ person, scope }: Pass, door: Actor['door']): Asker => ({ actor: { person, door }, scope });

/**
 * Who may call: a program with a token, a page with a cookie that it got for a code, or whom the proxy names. Nothing that is
 * kept, here or in the store, opens anything: it is hashes. Every server of the store knows the same.
 */
export function createAccess({ tokenHash: wanted, cookieName, passes, proxy, letIn }: AccessOptions) {
  const found = async (secret: string, kind: Pass['kind'], door: Actor['door']): Promise<Asker | null> => {
    const pass = secret === '' ? null : await passes.find(hashOf(secret));
    if (pass?.kind !== kind) return null;
    letIn.add(pass.hash);
    return askerOf(pass, door);
  };
  const keep = async (kind: Pass['kind'], { actor: { person }, scope }: Asker, ms: number) => {
    const secret = newSecret();
    await passes.keep({ hash: hashOf(secret), kind, person, scope }, ms);
    return secret;
  };
  return {
    /** A cookie for a code that has not been used; null for anything else, a token too: addresses are kept by browsers. */
    async exchange(given: string) {
      const code = await passes.take(hashOf(given));
      if (code === null) return null;
      return {
        name: cookieName,
        value: await keep('page', askerOf(code, 'page'), SESSION_MS),
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: SESSION_MS / 1000,
      } as const;
    },
    /** The cookie opens nothing any more. */
    leave: async (cookie: string): Promise<void> => void (await passes.revoke({ hash: hashOf(cookie) })),
    /** Opens the page once, for whoever asks for it: an address with it may be seen by others on this machine. */
    newCode: (asker: Asker, minutes = 1): Promise<string> => keep('code', asker, minutes * MINUTE),
    cookieName,
    /** Who the caller is, as far as it showed that it may; or null. Whoever has the token of the server is its owner. */
    async asker({ header, cookie = '', address }: Shown): Promise<Asker | null> {
      const bearer = /^Bearer (.+)$/i.exec(header('authorization') ?? '')?.[1];
      if (bearer !== undefined)
        return wanted !== null && isSame(bearer, wanted) ? ownerAt('api') : found(bearer, 'token', 'api');
      // What the proxy says of somebody holds now; their cookie may be of a time when they were more.
      const named = proxy?.asker(header, address);
      return named === undefined ? found(cookie, 'page', 'page') : named;
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
