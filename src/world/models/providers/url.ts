import type { ModelEnv } from '../settings.ts';
import { type ProviderFacts, providers } from './catalogue.ts';

/** Where a provider answers; null where nobody has said. A URL that is none is given back as it is, and fails later. */
export function urlOf(
  name: string,
  facts: ProviderFacts,
  env: ModelEnv,
  compatible: string | null,
): string | null {
  if (facts === providers['compatible']) return compatible === null ? null : trim(compatible);
  const given = facts.urlVariable === null ? undefined : env[facts.urlVariable]?.trim();
  if (!given) return facts.defaultUrl;
  if (name === 'ollama') return ollamaUrl(given);
  // ANTHROPIC_BASE_URL has no version for some programs, and has one for others.
  if (name === 'anthropic' && !/\/v\d+$/.test(trim(given))) return `${trim(given)}/v1`;
  return trim(given);
}

const trim = (url: string): string => url.replace(/\/+$/, '');

/** OLLAMA_HOST is a host, a host with a port, or a URL; and what a server listens on is not always what to call. */
function ollamaUrl(given: string): string {
  const hasScheme = /^https?:\/\//.test(given);
  const text = hasScheme ? given : `http://${given.startsWith(':') ? `127.0.0.1${given}` : given}`;
  if (!URL.canParse(text)) return given;
  const url = new URL(text);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !hasScheme) url.port = '11434';
  return trim(url.toString());
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** This machine: nothing leaves it. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname;
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host);
}
