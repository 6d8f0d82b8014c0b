import type { CallOutcome } from '../../core/contract/index.ts';

/** How a call failed, and when the provider says that it may be tried again. */
export interface CallFailure {
  readonly outcome: Exclude<CallOutcome, 'ok'>;
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** The provider turned it away before it did anything: nothing is owed. */
  readonly isFree: boolean;
  /** It may well work in a moment. */
  readonly isTransient: boolean;
  /** The server did not take the request as it was written (400, 422): another dialect may do. */
  readonly isMisunderstood: boolean;
}

interface ApiError {
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
}

/** What an error of the SDK means. Errors are told by their fields: their classes are not loaded here. */
export function failureOf(error: unknown, now: number): CallFailure {
  const { statusCode, responseHeaders = {}, responseBody = '' } = apiError(error);
  const base = { retryAfterMs: retryAfter(responseHeaders, now), isTransient: false, isMisunderstood: false };
  if (statusCode === undefined || statusCode < 400) {
    // Refused connections are free; of one that broke off, nobody knows.
    const code = networkCode(error);
    return {
      ...base,
      outcome: 'error',
      message: networkSentence(code) ?? messageOf(error),
      isFree: code !== null && unreached.has(code),
      isTransient: code !== null,
    };
  }
  const said = providerSentence(responseBody) ?? messageOf(error);
  const message = `${statusCode}: ${said}`;
  const common = { ...base, message, isFree: true };
  if (statusCode === 401 || statusCode === 403) return { ...common, outcome: 'unauthorised' };
  if (statusCode === 429 || statusCode === 529)
    return { ...common, outcome: 'rate-limited', isTransient: true };
  if (statusCode === 408 || statusCode === 504) return { ...common, outcome: 'timeout', isTransient: true };
  const isMisunderstood = statusCode === 400 || statusCode === 422;
  return { ...common, outcome: 'error', isTransient: statusCode >= 500, isMisunderstood };
}

function apiError(error: unknown): ApiError {
  for (const candidate of causes(error)) {
    if ('statusCode' in candidate && typeof candidate.statusCode === 'number') return candidate as ApiError;
  }
  return {};
}

/** The error and what caused it, outermost first. */
function* causes(error: unknown): Generator<object> {
  let current = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    yield current;
    current = 'lastError' in current ? current.lastError : 'cause' in current ? current.cause : null;
  }
}

/** The seconds, milliseconds or date of a retry-after, as milliseconds from now. */
function retryAfter(headers: Record<string, string>, now: number): number | null {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** `{ error: { message } }` of OpenAI, Anthropic and Google, `{ error: text }` of Ollama. */
function providerSentence(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: string | { message?: unknown } };
    const text = typeof error === 'object' ? error?.message : error;
    return typeof text === 'string' && text !== '' ? text : null;
  } catch {
    return null;
  }
}

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function networkCode(error: unknown): string | null {
  for (const candidate of causes(error)) {
    if ('code' in candidate && typeof candidate.code === 'string' && /^E[A-Z_]+$|^UND_/.test(candidate.code))
      return candidate.code;
    if ('errors' in candidate && Array.isArray(candidate.errors)) {
      const inner = networkCode(candidate.errors[0]);
      if (inner !== null) return inner;
    }
  }
  return null;
}

function networkSentence(code: string | null): string | null {
  if (code === null) return null;
  if (code === 'ECONNREFUSED') return 'nobody answers there (ECONNREFUSED)';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its host was not found (${code})`;
  return `the connection failed (${code})`;
}

/** What the SDK says of answers that are not of its protocol is about the SDK. */
const garbled = /JSON parsing failed|type validation failed|normalized \w+ stream error/i;

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return garbled.test(message) ? 'what came was not JSON, or not of its protocol' : message;
}
