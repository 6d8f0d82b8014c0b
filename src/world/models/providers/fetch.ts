import * as http from 'node:http';
import type { ModelEnv } from '../settings.ts';
import { isLoopback } from './url.ts';

export type ProviderFetch = typeof globalThis.fetch;

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

/**
 * A fetch that goes through the proxy that the environment names, except to this machine. Node takes a proxy for the
 * whole process or not at all; here it is taken for model calls alone, so that nothing else changes its way.
 * NODE_EXTRA_CA_CERTS is honoured by Node itself when the program starts.
 */
export function createFetch(env: ModelEnv): ProviderFetch {
  if (!proxyVariables.some((name) => env[name])) return fetch;
  let dispatcher: unknown = null;
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (isLoopback(url)) return fetch(input, init);
    dispatcher ??= proxyDispatcher(env);
    return fetch(input, { ...init, dispatcher } as RequestInit);
  };
}

function proxyDispatcher(env: ModelEnv): unknown {
  const restore = http.setGlobalProxyFromEnv(env as NodeJS.ProcessEnv);
  const made = (globalThis as Record<symbol, unknown>)[dispatcherKey];
  restore();
  return made;
}
