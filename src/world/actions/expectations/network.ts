import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Expectation } from '../../../core/contract/index.ts';
import { type Observed, observed } from './observed.ts';

/** How much of an answer is searched for the expected text. */
const BODY_BYTES = 1024 * 1024;

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>;

export interface Patience {
  /** For one look. */
  timeoutMs: number;
  /** For looking again while it does not hold: what a step starts may need a moment to come up or go down. */
  patienceMs: number;
  signal?: AbortSignal | undefined;
}

/** Looks until it holds, patience is over, or the signal aborts. */
export async function patiently(look: () => Promise<Observed>, patience: Patience): Promise<Observed> {
  const deadline = performance.now() + patience.patienceMs;
  for (;;) {
    const seen = await look();
    if (seen.held || performance.now() >= deadline || patience.signal?.aborted) return seen;
    await sleep(100, undefined, { signal: patience.signal }).catch(() => {});
  }
}

/** On this machine, by either version of IP. */
export async function checkPort(
  { port, open }: Of<'port'>,
  { timeoutMs, signal }: Patience,
): Promise<Observed> {
  const answers = await Promise.all(
    ['127.0.0.1', '::1'].map((host) => isOpen(host, port, timeoutMs, signal)),
  );
  const isNow = answers.includes(true);
  if (!isNow && signal?.aborted) return { held: null, sentence: `port ${port} was not looked at to the end` };
  return open
    ? observed(isNow, `port ${port} is open`, `expected port ${port} to be open, and nothing listens there`)
    : observed(
        !isNow,
        `port ${port} is closed`,
        `expected port ${port} to be closed, and something listens there`,
      );
}

function isOpen(host: string, port: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const answer = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.setTimeout(timeoutMs, answer(false));
    socket.once('connect', answer(true));
    socket.on('error', answer(false));
  });
}

/** Redirects are followed, unless a redirect is what is expected. */
export async function checkUrl(
  { url, status, contains }: Of<'url'>,
  { timeoutMs, signal }: Patience,
): Promise<Observed> {
  const expected = `expected ${url} to answer ${status}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: status >= 300 && status < 400 ? 'manual' : 'follow',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status !== status || contains === undefined) {
      await response.body?.cancel();
      return observed(
        response.status === status,
        `${url} answers ${status}`,
        `${expected}, and it answers ${response.status}`,
      );
    }
    const text = JSON.stringify(contains);
    return observed(
      await bodyContains(response, contains),
      `${url} answers ${status} with ${text}`,
      `${expected} with ${text}, and the answer does not contain that`,
    );
  } catch (error) {
    if (timeout.aborted)
      return { held: null, sentence: `${expected}, and it did not answer within ${timeoutMs / 1000} s` };
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { held: false, sentence: `${expected}, and it could not be reached${code ? ` (${code})` : ''}` };
  }
}

async function bodyContains(response: Response, text: string): Promise<boolean> {
  const needle = Buffer.from(text);
  let body: Buffer = Buffer.alloc(0);
  for await (const chunk of response.body ?? []) {
    body = Buffer.concat([body, chunk]);
    if (body.includes(needle) || body.length > BODY_BYTES) break;
  }
  return body.includes(needle);
}
