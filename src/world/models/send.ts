import type { Usage } from '../../core/contract/index.ts';
import type { Clock } from '../../core/engine/index.ts';
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
  | { ok: false; failure: CallFailure; usage: Usage | null };

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
    failure: { outcome, message, retryAfterMs: null, isFree: false, isTransient },
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

async function read(
  { model, options }: LoadedModel,
  request: SendRequest,
  signal: AbortSignal,
  heard: (text: string) => void,
  gathered: Gathered,
): Promise<void> {
  const { streamText } = await import('ai');
  const { system, messages, schema, maxOutputTokens } = request;
  const { stream } = streamText({
    model,
    instructions: system,
    messages: messages.map(({ role, content }) => ({ role, content })),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {},
    providerOptions: options,
    ...(schema === null ? {} : { output: jsonOutput(schema) }),
  });
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        heard(part.text);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'text-start':
        heard('');
        break;
      case 'error':
        gathered.error ??= part.error;
        break;
      case 'finish-step':
        gathered.finish = part.finishReason;
        gathered.usage = usageOf(part.usage);
        break;
      default:
    }
  }
}

/** Asks for JSON of a schema and leaves the reading to us: the SDK would parse anew at every piece. */
const jsonOutput = (schema: Record<string, unknown>) => ({
  name: 'object',
  responseFormat: Promise.resolve({ type: 'json' as const, schema, name: 'answer' }),
  parseCompleteOutput: async ({ text }: { text: string }) => text,
  parsePartialOutput: async () => undefined,
  createElementStreamTransform: () => undefined,
});

function usageOf(usage: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails?: { cacheReadTokens: number | undefined };
}): Usage | null {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const cached = usage.inputTokenDetails?.cacheReadTokens;
  return { inputTokens, outputTokens, ...(cached ? { cachedInputTokens: cached } : {}) };
}
