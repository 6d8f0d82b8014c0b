import { randomUUID } from 'node:crypto';
import {
  type CallOutcome,
  type ModelCallEnd,
  type ModelName,
  type ModelRole,
  printModelName,
  type Usage,
} from '../../core/contract/index.ts';
import { createSecretFilter } from '../../core/risk/secrets/index.ts';
import type { CallLedger, Clock } from '../../core/stream/index.ts';
import type { Timeouts } from './deadline.ts';
import type { FoundAccess } from './discover.ts';
import type { CallFailure } from './outcome.ts';
import { inputBytes, worstCase } from './price/estimate.ts';
import { costOf, type Prices } from './price/prices.ts';
import { providerFacts } from './providers/catalogue.ts';
import { type Dialect, dialectsOf } from './providers/dialect.ts';
import type { ProviderFetch } from './providers/fetch.ts';
import { loadModel, type ProviderAccess } from './providers/load.ts';
import { type Recorded, type Recordings, recordingKey } from './recordings.ts';
import { type Sent, send } from './send.ts';
import { envelopeInstruction } from './structured.ts';
import type { Message, OfferedTool, WantedCall } from './types.ts';

/** What every call needs, whichever model it goes to. */
export interface Caller {
  clock: Clock;
  fetch: ProviderFetch;
  prices: Prices;
  recordings: Recordings | null;
  /** What servers have turned out to understand, by URL and model. */
  dialects: Map<string, Dialect>;
  access(provider: string): FoundAccess | string;
  timeouts(url: string): Timeouts;
  /** Whether it can look at pictures, where its server says so. */
  sees(url: string, name: ModelName): Promise<boolean | null>;
  /** Told of every call that was sent, whole. Does not throw. */
  told?: ((call: SentCall) => void) | undefined;
}

/** One call as it went out and what came of it, the answer as it came: also where it could not be used. */
export interface SentCall {
  /** The stream that it was made for. */
  stream: string | null;
  role: ModelRole;
  purpose: string;
  model: ModelName;
  ms: number;
  outcome: CallOutcome;
  system: string;
  messages: readonly Message[];
  answer: string;
  /** How it failed. */
  message?: string;
}

export interface OneCall<V> {
  role: ModelRole;
  purpose: string;
  system: string;
  messages: readonly Message[];
  /** The messages by which a recording is found again. */
  keyMessages: readonly Message[];
  schema: Record<string, unknown> | null;
  tools?: readonly OfferedTool[] | undefined;
  maxOutputTokens: number;
  signal: AbortSignal;
  onText?: (delta: string) => void;
  /** What the answer is worth; a sentence where it is worth nothing. */
  check(text: string, cutOff: boolean): { ok: true; value: V } | { ok: false; message: string };
}

export type Called<V> =
  | {
      ok: true;
      value: V;
      text: string;
      calls: readonly WantedCall[];
      cutOff: boolean;
      usage: Usage | null;
      usd: number | null;
      ms: number;
    }
  | { ok: false; stop: 'limit' | 'lost'; message: string }
  | { ok: false; stop: null; failure: CallFailure; text: string; ms: number };

/**
 * One call of one model: counted with its worst case, sent (or replayed), settled. Never throws; the answer of a
 * ledger that throws is the caller's to hear, for nothing may be sent that is not written down.
 */
export async function callOnce<V>(
  caller: Caller,
  name: ModelName,
  call: OneCall<V>,
  ledger: CallLedger,
): Promise<Called<V>> {
  const access = caller.access(name.provider);
  const shown = call.messages.some(({ pictures = [] }) => pictures.length > 0);
  const isReplay = caller.recordings?.mode === 'replay';
  if (typeof access === 'string' && !isReplay) return missing(`${printModelName(name)}: ${access}`);
  if (shown && !isReplay && typeof access !== 'string' && (await caller.sees(access.url, name)) === false)
    return missing(
      `${printModelName(name)} takes no pictures: choose a model that does, or send none`,
      'error',
    );
  const isNative = call.schema !== null && providerFacts(name.provider)?.isStructured === true;
  const asked =
    call.schema === null || isNative
      ? call
      : { ...call, system: call.system + envelopeInstruction(call.schema) };
  const key = recordingKey(name, {
    system: asked.system,
    messages: call.keyMessages,
    schema: call.schema ?? undefined,
    tools: call.tools,
  });
  const price = caller.prices(name);
  const callId = randomUUID();
  const worst = worstCase({ ...asked, schema: isNative ? call.schema : undefined }, price);
  const reserved = isReplay ? { usd: 0, tokens: 0 } : worst;
  const { role, purpose } = call;
  const allowed = await ledger.reserve({ callId, role, purpose, ...name, reserved });
  if (!allowed.ok) return { ok: false, stop: allowed.why, message: allowed.message };

  const started = caller.clock.now();
  const sent = isReplay
    ? await replay(caller.recordings!, key, name)
    : await sendOne(caller, name, access as FoundAccess, asked, isNative ? call.schema : null);
  const ms = Math.max(0, caller.clock.now() - started);
  if (caller.recordings?.mode === 'record') await keep(caller.recordings, key, sent);

  const checked = sent.ok ? call.check(sent.text, sent.cutOff) : null;
  const counted = sent.ok
    ? believable(sent.usage, worst.tokens - call.maxOutputTokens, sent.text)
    : sent.usage;
  const usage = sent.ok || !sent.failure.isFree ? counted : { inputTokens: 0, outputTokens: 0 };
  const usd = isReplay ? 0 : costOf(price, usage);
  const end = (outcome: ModelCallEnd['outcome'], message?: string) => {
    const why = message === undefined ? {} : { message };
    const { system, messages } = asked;
    const { stream = null } = ledger;
    caller.told?.({
      stream,
      role,
      purpose,
      model: name,
      ms,
      outcome,
      system,
      messages,
      answer: sent.text,
      ...why,
    });
    const replayed = isReplay ? { replayed: true as const } : {};
    return ledger.settle({ callId, outcome, usage, usd, durationMs: ms, ...why, ...replayed });
  };
  if (sent.ok && checked?.ok) {
    await end('ok');
    const { text, cutOff, calls = [] } = sent;
    return { ok: true, value: checked.value, text, calls, cutOff, usage, usd, ms };
  }
  const failure = sent.ok ? invalid(checked?.ok === false ? checked.message : '') : sent.failure;
  await end(failure.outcome, failure.message);
  return { ok: false, stop: null, failure, text: sent.text, ms };
}

const failureWith = (outcome: CallFailure['outcome'], message: string, isFree: boolean): CallFailure => ({
  outcome,
  message,
  retryAfterMs: null,
  isFree,
  isTransient: false,
  isMisunderstood: false,
});

/** Something was said and something came: a server that counted nothing of it is not believed, and bytes are. */
function believable(usage: Usage | null, input: number, text: string): Usage | null {
  if (usage === null) return null;
  const inputTokens = usage.inputTokens || input;
  return { ...usage, inputTokens, outputTokens: usage.outputTokens || Buffer.byteLength(text) };
}

const invalid = (message: string): CallFailure => failureWith('invalid', message, false);
const missing = (message: string, outcome: CallFailure['outcome'] = 'unauthorised'): Called<never> => ({
  ok: false,
  stop: null,
  failure: failureWith(outcome, message, true),
  text: '',
  ms: 0,
});

async function sendOne(
  caller: Caller,
  name: ModelName,
  { url, key }: FoundAccess,
  { system, messages, tools, maxOutputTokens, signal, onText }: OneCall<unknown>,
  schema: Record<string, unknown> | null,
): Promise<Sent> {
  const { clock, fetch } = caller;
  const request = { system, messages, tools, maxOutputTokens, signal, schema, ...(onText ? { onText } : {}) };
  try {
    const size = { inputTokens: Math.ceil(inputBytes(request) / 3), maxOutputTokens };
    const access = { provider: name.provider, url, key, fetch };
    const speak = async (dialect: Dialect) =>
      send(await loadModel(access, name.model, size, dialect), request, caller.timeouts(url), clock);
    const sent = await inDialects(caller.dialects, access, name.model, speak);
    if (sent.ok) return sent;
    const { isMisunderstood } = sent.failure;
    const isShown = messages.some(({ pictures = [] }) => pictures.length > 0);
    const hint = isMisunderstood && isShown ? 'it was shown a picture, which it may not take: ' : '';
    return { ...sent, failure: { ...sent.failure, message: hint + clean(sent.failure.message, key) } };
  } catch (error) {
    const failure = failureWith('error', clean(String(error), key), true);
    return { ok: false, usage: null, text: '', failure };
  }
}

/** What is not understood in one dialect is said in the next; what was understood once is spoken from then on. */
async function inDialects(
  spoken: Map<string, Dialect>,
  access: ProviderAccess,
  model: string,
  speak: (dialect: Dialect) => Promise<Sent>,
): Promise<Sent> {
  const place = `${access.url} ${model}`;
  const known = spoken.get(place);
  const [first, ...others] = known === undefined ? dialectsOf(access.provider, access.url) : [known];
  let sent = await speak(first);
  for (const dialect of others) {
    if (sent.ok || !sent.failure.isMisunderstood) break;
    const again = await speak(dialect);
    if (again.ok) spoken.set(place, dialect);
    // Where neither is understood, what was said to the first is what matters.
    if (again.ok || !again.failure.isMisunderstood) sent = again;
  }
  return sent;
}

/** One line, short, and without the key: providers quote what they were sent. */
function clean(message: string, key: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim().slice(0, 400);
  return createSecretFilter({ values: key === '' ? [] : [key] }).text(line);
}

async function replay(recordings: Recordings, key: string, name: ModelName): Promise<Sent> {
  const recorded = await recordings.get(key).catch(() => null);
  if (recorded === null) {
    const message = `no answer of ${printModelName(name)} to this is recorded (${key.slice(0, 12)})`;
    return { ok: false, usage: null, text: '', failure: failureWith('error', message, true) };
  }
  if (recorded.ok) return recorded;
  const failure = failureWith(recorded.outcome, recorded.message, true);
  return { ok: false, usage: null, text: '', failure };
}

const called = ({ calls }: Extract<Sent, { ok: true }>) =>
  calls === undefined ? {} : { calls: calls.map((call) => ({ ...call })) };

/** A recording that cannot be written costs the recording, not the answer. */
async function keep(recordings: Recordings, key: string, sent: Sent): Promise<void> {
  const { outcome = null, message = '' } = sent.ok ? {} : sent.failure;
  if (!sent.ok && (outcome === 'aborted' || outcome === 'invalid' || outcome === null)) return;
  const { usage } = sent;
  const recorded: Recorded = sent.ok
    ? { ok: true, text: sent.text, ...called(sent), cutOff: sent.cutOff, usage }
    : { ok: false, outcome: outcome as Exclude<typeof outcome, 'aborted' | 'invalid' | null>, message };
  await recordings.put(key, recorded).catch(() => {});
}
