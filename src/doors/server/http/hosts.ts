import { isIP } from 'node:net';

export interface HostRules {
  /** What the server is bound to. */
  host: string;
  port: number;
  /** Further names that people reach it by, on any port: a forwarded one, a proxy. */
  allowed: readonly string[];
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Whether a request was meant for us. A page of somebody else can make its own name point here (DNS rebinding), but
 * it cannot make the browser send another name than its own. A bare address cannot be made to point anywhere.
 */
export function createHostCheck({ host, port, allowed }: HostRules): (header: string | null) => boolean {
  const own = new Set([...loopback, bracketed(host)].map((name) => `${name}:${port}`));
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return (header) => {
    const given = header?.toLowerCase() ?? '';
    const name = given.replace(/:\d+$/, '');
    if (own.has(given) || names.has(given) || names.has(name)) return true;
    return isEverywhere && given.endsWith(`:${port}`) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}

export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
