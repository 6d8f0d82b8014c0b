import type { Usage } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { startDeadline, type Timeouts } from './deadline.ts';
import { type CallFailure, failureOf } from './outcome.ts';
import type { LoadedModel } from './providers/load.ts';
import type { Message, OfferedTool, WantedCall } from './types.ts';

export interface SendRequest {
  system: string;
  messages: readonly Message[];
  /** For providers that take one; the envelope is in the prompt otherwise. */
  schema: Record<string, unknown> | null;
  maxOutputTokens: number;
  tools?: readonly OfferedTool[] | undefined;
  signal: AbortSignal;
  onText?: (delta: string) => void;
}

export type Sent =
  | {
      ok: true;
      text: string;
      calls?: readonly WantedCall[] | undefined;
      cutOff: boolean;
      usage: Usage | null;
    }
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
  const gathered: Gathered = { text: '', calls: [], finish: null, usage: null, error: undefined };
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
  calls: WantedCall[];
  finish: string | null;
  usage: Usage | null;
  error: unknown;
}

function finished(
  { text, calls, finish, usage }: Gathered,
  failed: (outcome: CallFailure['outcome'], message: string, isTransient?: boolean) => Sent,
): Sent {
  if (finish === 'content-filter') return failed('refused', refusal(text));
  // Who comes to an end says why, or at least what it cost.
  const isUnsaid = finish === null || (finish === 'other' && usage === null);
  if (isUnsaid || finish === 'interrupted' || finish === 'error')
    return failed('error', 'the answer broke off', true);
  if (text.trim() === '' && calls.length === 0 && finish !== 'length')
    return failed('invalid', 'the answer is empty');
  const called = calls.length === 0 ? {} : { calls };
  return { ok: true, text, ...called, cutOff: finish === 'length', usage };
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
  { system, messages, schema, maxOutputTokens, tools = [] }: SendRequest,
  signal: AbortSignal,
  heard: (text: string) => void,
  gathered: Gathered,
): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'system', content: system }, ...messages.flatMap(asPrompt)],
    maxOutputTokens,
    abortSignal: signal,
    providerOptions: options,
    ...(schema === null ? {} : { responseFormat: { type: 'json', schema, name: 'answer' } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(asFunction) }),
  });
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        heard(part.delta);
        break;
      case 'tool-call':
        heard('');
        gathered.calls.push({ id: part.toolCallId, name: part.toolName, args: argsOf(part.input) });
        break;
      case 'tool-input-start':
      case 'tool-input-delta':
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

type Prompt = Parameters<LoadedModel['model']['doStream']>[0]['prompt'];

/** What came of calls goes first: providers want it right after the message that made them. */
function asPrompt({ role, content, pictures = [], calls = [], results = [] }: Message): Prompt {
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
  if (role === 'assistant') {
    const called = calls.map(({ id, name, args }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: args,
    }));
    return [{ role, content: [...text, ...called] }];
  }
  const told = results.map((result) => ({
    type: 'tool-result' as const,
    toolCallId: result.id,
    toolName: result.name,
    output: { type: 'text' as const, value: result.text },
  }));
  const shown = pictures.map(({ type, data }) => ({
    type: 'file' as const,
    mediaType: type,
    // As text: not every provider's package writes bytes as such.
    data: { type: 'data' as const, data: Buffer.from(data).toString('base64') },
  }));
  const said = [...shown, ...text];
  return [
    ...(told.length === 0 ? [] : [{ role: 'tool' as const, content: told }]),
    ...(said.length === 0 && told.length > 0 ? [] : [{ role, content: said }]),
  ];
}

const asFunction = ({ name, description, parameters }: OfferedTool) => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: parameters,
});

/** What is no JSON is given as it came: it fits no tool, and the model is told so. */
function argsOf(input: string): unknown {
  try {
    return input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    return input;
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
