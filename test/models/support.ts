import type { ModelCall, ModelCallEnd, ModelHop, ModelName } from '../../src/core/contract/index.ts';
import type { CallLedger, Clock } from '../../src/core/stream/index.ts';
import { type Models, type ModelsOptions, openModels, parseNames } from '../../src/world/models/index.ts';
import {
  type Script,
  startAnthropic,
  startGoogle,
  startOllama,
  startOpenAi,
  type WireServer,
} from '../wire/index.ts';

/** Time that passes a thousand times faster: a second of waiting is a millisecond. */
export function fastClock(speed = 1000): Clock {
  const start = performance.now();
  const now = () => 1_800_000_000_000 + (performance.now() - start) * speed;
  return {
    now,
    sleepUntil: (until, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const timer = setTimeout(resolve, Math.max(0, (until - now()) / speed));
        const wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}

/** Hours on a fast clock, seconds in truth: never reached unless a test wants it. */
export const patient = { firstByte: 60_000_000, idle: 60_000_000, total: 60_000_000 };

export interface Log extends CallLedger {
  started: ModelCall[];
  ended: ModelCallEnd[];
  hops: ModelHop[];
}

export function openLedger(refuse?: (call: ModelCall) => string | null): Log {
  const log = { started: [] as ModelCall[], ended: [] as ModelCallEnd[], hops: [] as ModelHop[] };
  return {
    ...log,
    async reserve(call) {
      const message = refuse?.(call) ?? null;
      if (message !== null) return { ok: false, why: 'limit', message };
      log.started.push(call);
      return { ok: true };
    },
    settle: async (end) => void log.ended.push(end),
    fellBack: async (hop) => void log.hops.push(hop),
  };
}

export const providersByWire = {
  'openai-chat': startOpenAi,
  'openai-responses': startOpenAi,
  compatible: startOpenAi,
  moonshot: startOpenAi,
  anthropic: startAnthropic,
  google: startGoogle,
  ollama: startOllama,
} as const;
export type WireProvider = keyof typeof providersByWire;
export const wireProviders = Object.keys(providersByWire) as WireProvider[];

export const startProvider = (provider: WireProvider, script: Script): Promise<WireServer> =>
  providersByWire[provider](script);

export const secretKey = 'sk-test-5Up3rS3cretKey0123456789';

/** Models whose every provider is at this URL; `chain` as in the configuration. */
export function modelsAt(url: string, chain: string, more: Partial<ModelsOptions> = {}): Models {
  const env = {
    OPENAI_API_KEY: secretKey,
    OPENAI_BASE_URL: url,
    MOONSHOT_API_KEY: secretKey,
    MOONSHOT_BASE_URL: url,
    ANTHROPIC_API_KEY: secretKey,
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: secretKey,
    GOOGLE_BASE_URL: url,
    OLLAMA_HOST: url,
    ...more.env,
  };
  const names: ModelName[] = parseNames(chain);
  const settings = () => ({ chains: { brain: names }, url, timeoutMs: 120_000 });
  return openModels({
    settings,
    keyFile: '/nowhere/keys.json',
    clock: fastClock(),
    timeouts: patient,
    ...more,
    env,
  });
}

export const ask = (content = 'hello') => ({
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content }],
  purpose: 'try it',
  signal: new AbortController().signal,
});
