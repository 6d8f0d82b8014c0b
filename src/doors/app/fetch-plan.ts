import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';
import { type GivenText, isRunbook, kindOfText } from './plans.ts';

/** A plan or a runbook as it was at an address, once. Nobody has seen it yet. */
export interface FetchedText extends Pick<GivenText, 'text' | 'kind'> {
  /** Where it came from, as far as it can be shown. */
  address: string;
  bytes: Uint8Array;
  sha256: string;
}

/** No page of commands is larger, and nobody waits longer for one. */
export const fetchLimits = { bytes: 2 * 1024 * 1024, ms: 30_000, redirects: 5 };

/**
 * Fetches the text at an address: by https, or from this machine; from the host that was named and no other; with nothing
 * that says who asks. Throws an AppError that says why it cannot be had.
 */
export async function fetchPlan(given: string, limits = fetchLimits): Promise<FetchedText> {
  const from = URL.parse(given);
  if (from === null) throw refused('that is no address that can be fetched');
  const signal = AbortSignal.timeout(limits.ms);
  try {
    const { url, response } = await answered(from, signal, limits.redirects);
    const address = shownAddress(url);
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/html\b/i.test(type))
      throw refused(`${address} is a web page: give the address of the file itself, as it is downloaded`);
    const bytes = await readBody(response, address, limits.bytes);
    const text = textOf(bytes, address);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const isPage = isRunbook(url.pathname) || /^text\/markdown\b/i.test(type);
    return { address, bytes, text, sha256, kind: isPage ? 'runbook' : kindOfText(text) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted) throw refused(`${shownAddress(from)} did not answer within ${limits.ms / 1000} s`);
    const { cause = error } = error as Error;
    throw refused(
      `${shownAddress(from)} cannot be fetched: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
}

const refused = (why: string) => new AppError('file-unreadable', why);

/** Without what may let its bearer in. */
export const shownAddress = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** The answer with the text. What leads elsewhere on the same host is followed, so many times. */
async function answered(from: URL, signal: AbortSignal, redirects: number) {
  let url = from;
  for (let left = redirects; left >= 0; left -= 1) {
    mustBeSafe(url);
    const response = await fetch(url.href, {
      signal,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { accept: 'text/markdown, text/plain, application/yaml, application/json, */*;q=0.1' },
    });
    if (response.ok) return { url, response };
    await response.body?.cancel();
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null)
      throw refused(`${shownAddress(url)} answered with ${response.status}`);
    const to = URL.parse(next, url.href);
    if (to === null || to.host !== from.host)
      throw refused(
        `${shownAddress(url)} leads to another host, ${to === null ? next : shownAddress(to)}: give that address, if you mean it`,
      );
    url = to;
  }
  throw refused(`${shownAddress(from)} leads from one address to the next without end`);
}

function mustBeSafe(url: URL): void {
  if (url.username !== '' || url.password !== '')
    throw refused('an address with a name and a password is not fetched: Planwright sends neither');
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:'))
    throw refused(`${shownAddress(url)} is not https: on its way anybody could change what it says`);
}

async function readBody(response: Response, address: string, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    // Leaving the loop lets go of the connection.
    if (size > most) throw refused(`${address} is larger than ${most / 1024 / 1024} MB, which no plan is`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function textOf(bytes: Uint8Array, address: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused(`${address} is no text in UTF-8`);
  }
}
