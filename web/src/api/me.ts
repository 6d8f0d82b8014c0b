import { allows, createClient, type Scope, scopeWords, type WhoAmI } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** Who looks at this page, as the server knows them. */
export const useMe = (): WhoAmI | undefined =>
  useQuery({ queryKey: ['me'], queryFn: () => client.whoAmI(), staleTime: Number.POSITIVE_INFINITY }).data;

/** Why they may not, in words; null where they may, and while that is not known: the server says it too. */
export function useLack(scope: Scope): string | null {
  const me = useMe();
  if (me === undefined || allows(me.scope, scope)) return null;
  const who = scope === 'decide' ? 'an admin decides' : 'an operator or an admin does that';
  return `You may ${scopeWords[me.scope]} here, as ${me.person} (${me.role}): ${who}.`;
}

/** Opens this page for whoever has the token: it is exchanged for a cookie, and kept nowhere. */
export async function signIn(token: string): Promise<void> {
  const theirs = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, init), token });
  const { search } = new URL((await theirs.newAddress({})).address);
  location.assign(`${location.pathname}${search}`);
}
