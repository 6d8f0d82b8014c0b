import type { Usage } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { startDeadline, type Timeouts } from './deadline.ts';
import { type CallFailure, failureOf } from './outcome.ts';
import type { LoadedModel } from './providers/load.ts';
import type { Message } from './types.ts';

export interface SendRequest {
  system: string;
  messages: readonly Message[];
  /** For providers that take one; the envelope is in the prompt otherwise. */
  schema: Record<string, unknown> | null;
  maxOutputTokens: number;
  signal: AbortSignal;
  onText?: (delta: string) => void;
}

export type Sent =
  | { ok: true; text: string; cutOff: boolean; usage: Usage | null }
  /** `text`: what came before it failed. */
  | { ok: false; failure: CallFailure; usage: Usage | null; text: string };

/** More than any answer that is one. */
export const longestAnswer = 16_000_000;

/**
 * Sends one request and reads its answer as it comes. Never throws, and never takes longer than its timeouts, whatever
 * the server or the SDK does: what is left of the request is then given up.
 */
export async function send(
  { model, options }: LoadedModel,
  request: SendRequest,
  timeouts: Timeouts,
  clock: Clock,
): Promise<Sent> {
  const deadline = startDeadline(clock, timeouts, request.signal);
  const tooLong = new AbortController();
  const signal = AbortSignal.any([deadline.signal, tooLong.signal]);
  const gathered: Gathered = { text: '', finish: null, usage: null, error: undefined };
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    const reading = read(
      { model, options },
      request,
      signal,
      (part) => {
        deadline.heard();
        gathered.text += part;
        if (gathered.text.length > longestAnswer) tooLong.abort(new Error('too long'));
        else if (part !== '') request.onText?.(part);
      },
      gathered,
    );
    await Promise.race([reading.catch((error: unknown) => void (gathered.error ??= error)), aborted]);
  } finally {
    deadline.end();
  }
  const failed = (outcome: CallFailure['outcome'], message: string, isTransient = false): Sent => ({
    ok: false,
    usage: gathered.usage,
    text: gathered.text,
    failure: { outcome, message, retryAfterMs: null, isFree: false, isTransient, isMisunderstood: false },
  });
  if (request.signal.aborted) return failed('aborted', 'it was no longer wanted');
  const passed = deadline.passed();
  if (passed !== null) return failed('timeout', passed);
  if (tooLong.signal.aborted) return failed('error', `the answer is longer than ${longestAnswer / 1e6} MB`);
  if (gathered.error !== undefined) {
    const failure = failureOf(gathered.error, clock.now());
    return {
      ok: false,
      usage: gathered.usage,
      text: gathered.text,
      failure: { ...failure, isFree: failure.isFree && gathered.text === '' },
    };
  }
  return finished(gathered, failed);
}

interface Gathered {
  text: string;
  finish: string | null;
  usage: Usage | null;
  error: unknown;
}

function finished(
  { text, finish, usage }: Gathered,
  failed: (outcome: CallFailure['outcome'], message: string, isTransient?: boolean) => Sent,
): Sent {
  if (finish === 'content-filter') return failed('refused', refusal(text));
  // Who comes to an end says why, or at least what it cost.
  const isUnsaid = finish === null || (finish === 'other' && usage === null);
  if (isUnsaid || finish === 'interrupted' || finish === 'error')
    return failed('error', 'the answer broke off', true);
  if (text.trim() === '' && finish !== 'length') return failed('invalid', 'the answer is empty');
  return { ok: true, text, cutOff: finish === 'length', usage };
}

const refusal = (text: string): string =>
  text.trim() === ''
    ? 'the model does not want to answer this'
    : `the model refuses: ${text.trim().slice(0, 200)}`;

/**
 * By the provider's own stream, without the SDK's layers for tools and views above it: they cost a sixth of a second
 * to load and more for each piece than the provider does.
 */
async function read(
  { model, options }: LoadedModel,
  { system, messages, schema, maxOutputTokens }: SendRequest,
  signal: AbortSignal,
  heard: (text: string) => void,
  gathered: Gathered,
): Promise<void> {
  const said = messages.map(({ role, content }) => ({
    role,
    content: [{ type: 'text' as const, text: content }],
  }));
  const { stream } = await model.doStream({
    prompt: [{ role: 'system', content: system }, ...said],
    maxOutputTokens,
    abortSignal: signal,
    providerOptions: options,
    ...(schema === null ? {} : { responseFormat: { type: 'json', schema, name: 'answer' } }),
  });
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        heard(part.delta);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'text-start':
        heard('');
        break;
      case 'error':
        gathered.error ??= part.error;
        break;
      case 'finish':
        gathered.finish = part.finishReason.unified;
        gathered.usage = usageOf(part.usage);
        break;
      default:
    }
  }
}

function usageOf({ inputTokens, outputTokens }: FinishUsage): Usage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  const cached = inputTokens.cacheRead;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(cached ? { cachedInputTokens: cached } : {}),
  };
}

interface FinishUsage {
  inputTokens: { total: number | undefined; cacheRead: number | undefined };
  outputTokens: { total: number | undefined };
}
