import { type ModelHop, type ModelName, type ModelRole, printModelName } from '../../core/contract/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';
import { type Called, type Caller, callOnce, type OneCall } from './call.ts';
import type { CallFailure } from './outcome.ts';
import { createLimited, waitBeforeRetry } from './retry.ts';
import { jsonSchemaOf, readStructured } from './structured.ts';
import type { Answered, CallRequest, Failed, Message, ModelChain } from './types.ts';

export interface ChainOptions {
  role: ModelRole;
  caller: Caller;
  /** The models to ask, in order, as things stand now. */
  names(): Promise<readonly ModelName[]>;
  /** Told before a model is asked. */
  asking(name: ModelName): void;
  /** Of a chain that somebody else keeps, this is one model: that is told by whoever knows which one is next. */
  isPart?: boolean;
}

/** A model that answers what cannot be used is told so, and asked once more. */
const mostInvalid = 2;
const defaultOutput = 8192;

/**
 *   ask ──ok──▶ answer
 *    │ ├──limit, lost, aborted──▶ fail
 *    │ ├──come back soon──▶ wait ──▶ ask            (once a model)
 *    │ └──not what was asked for──▶ say so ──▶ ask   (once a model)
 *    └──anything else──▶ hop to the next model ──▶ ask, or fail where none is left
 *                          └──none left, a rate limit among them, nobody there──▶ wait ──▶ ask those again
 */
export function createChain({ role, caller, names, asking, isPart = false }: ChainOptions): ModelChain {
  async function run<V>(
    request: CallRequest,
    schema: Record<string, unknown> | null,
    check: OneCall<V>['check'],
    ledger: CallLedger,
  ): Promise<(Answered & { value: V }) | Failed> {
    const hops: ModelHop[] = [];
    let ms = 0;
    const fail = (why: Failed['why'], message: string): Failed => ({ ok: false, why, message, hops, ms });
    const limits = createLimited(ledger.patience, caller.clock);
    let left = await names();
    if (left.length === 0) return fail('no-model', 'There is no model to ask: see planwright models.');
    if (request.signal.aborted) return fail('aborted', 'The answer is no longer wanted.');
    const isFirst = { text: true };
    while (left.length > 0) {
      const [name, ...rest] = left as [ModelName, ...ModelName[]];
      asking(name);
      const called = await askOne(name, rest.length === 0, request, schema, check, ledger, isFirst);
      if (called.ok) {
        const { value, text, calls, cutOff, usage, usd, ms } = called;
        return { ok: true, value, text, calls, model: name, usage, usd, ms, cutOff, hops };
      }
      if (called.stop !== null) return fail(called.stop, called.message);
      const { outcome, message } = called.failure;
      ms += called.ms;
      if (outcome === 'rate-limited') limits.note(name, called.failure);
      if (outcome === 'aborted' || request.signal.aborted) return fail('aborted', message);
      // What a provider does not let in at one door it does not let in at another.
      left = outcome === 'unauthorised' ? rest.filter(({ provider }) => provider !== name.provider) : rest;
      const wait = left.length === 0 ? limits.wait() : null;
      if (wait !== null) left = wait.names;
      const told = wait === null ? message : `${message}; asked again in ${wait.seconds} s`;
      const hop: ModelHop = { role, from: name, to: left[0] ?? null, reason: outcome, message: told };
      hops.push(hop);
      if (!isPart || wait !== null) await ledger.fellBack(hop);
      if (wait !== null) await caller.clock.sleepUntil(wait.at, request.signal);
      if (request.signal.aborted) return fail('aborted', message);
      if (left.length === 0) return fail(outcome, `${printModelName(name)}: ${message}`);
    }
    return fail('no-model', 'There is no model left to ask.');
  }

  async function askOne<V>(
    name: ModelName,
    isLast: boolean,
    request: CallRequest,
    schema: Record<string, unknown> | null,
    check: OneCall<V>['check'],
    ledger: CallLedger,
    isFirst: { text: boolean },
  ): Promise<Called<V>> {
    const { system, purpose, signal, maxOutputTokens = defaultOutput, tools, onText, onRestart } = request;
    const sent = withAside(request.messages, request.aside);
    let told: readonly Message[] = [];
    let invalid = 0;
    for (let tried = 1; ; tried++) {
      if (!isFirst.text) onRestart?.();
      isFirst.text = false;
      const call = {
        role,
        purpose,
        system,
        messages: [...sent, ...told],
        keyMessages: [...request.messages, ...told],
        schema,
        tools,
        maxOutputTokens,
        signal,
        check,
        ...(onText ? { onText } : {}),
      };
      const called = await callOnce(caller, name, call, ledger);
      if (called.ok || called.stop !== null) return called;
      if (called.failure.outcome === 'invalid') {
        invalid += 1;
        if (invalid >= mostInvalid || signal.aborted) return called;
        told = toldWhy(called.text, called.failure, schema !== null);
        continue;
      }
      const wait = waitBeforeRetry(called.failure, tried - invalid, isLast);
      if (wait === null || signal.aborted) return called;
      await caller.clock.sleepUntil(caller.clock.now() + wait, signal);
      if (signal.aborted) return called;
    }
  }

  return {
    callRaw: (request, ledger) =>
      guarded(() => run(request, null, (text) => ({ ok: true, value: text }), ledger)),
    callStructured: async (request, ledger) => {
      const check = (text: string, cutOff: boolean) => {
        const read = readStructured(text, request.schema, cutOff);
        return read.ok ? { ok: true as const, value: read } : read;
      };
      const answer = await guarded(() => run(request, jsonSchemaOf(request.schema), check, ledger));
      return answer.ok ? { ...answer, value: answer.value.value, how: answer.value.how } : answer;
    },
  };
}

function withAside(messages: readonly Message[], aside = ''): readonly Message[] {
  const last = messages.at(-1);
  if (aside === '' || last === undefined) return messages;
  return messages.with(-1, { ...last, content: `${last.content}\n${aside}` });
}

const quoted = 4000;

function toldWhy(text: string, { message }: CallFailure, wantsJson: boolean): Message[] {
  const said = text.trim().slice(0, quoted);
  const again = `That cannot be used: ${message}. Answer again${wantsJson ? ', with the JSON alone' : ''}.`;
  return said === ''
    ? [{ role: 'user', content: again }]
    : [
        { role: 'assistant', content: said },
        { role: 'user', content: again },
      ];
}

/** A store that failed, or a fault of ours: the caller hears of it as of any failure. */
async function guarded<T>(work: () => Promise<T | Failed>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    return {
      ok: false,
      why: 'error',
      message: error instanceof Error ? error.message : String(error),
      hops: [],
      ms: 0,
    };
  }
}
