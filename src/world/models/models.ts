import { type ModelName, type ModelRole, printModelName } from '../../core/contract/index.ts';
import type { CallLedger, Clock } from '../../core/stream/index.ts';
import type { Caller, SentCall } from './call.ts';
import { createChain } from './chain.ts';
import type { Timeouts } from './deadline.ts';
import { createDiscovery, type FoundProvider } from './discover.ts';
import { orderByAcceptance, rateOf } from './order.ts';
import { createPrices } from './price/prices.ts';
import type { Price } from './price/table.ts';
import { providerFacts } from './providers/catalogue.ts';
import { createFetch, type ProviderFetch } from './providers/fetch.ts';
import { createSees } from './providers/sees.ts';
import { hostOf, isLoopback, urlOf } from './providers/url.ts';
import type { Recordings } from './recordings.ts';
import type { ModelEnv, ModelSettings } from './settings.ts';
import type { Acceptance, Answer, ModelChain, Rate } from './types.ts';

/** What a person is told when a model is used for the first time. */
export interface Chosen {
  role: ModelRole;
  model: ModelName;
  /** Why this one. */
  why: string;
  /** Where what is sent goes; `isLocal`: it does not leave this machine. */
  host: string;
  isLocal: boolean;
}

export interface ModelsOptions {
  env: ModelEnv;
  /** Asked anew for each call: a change holds at once. */
  settings: () => ModelSettings;
  /** JSON, `{"PROVIDER": "KEY"}`, readable by its owner alone. */
  keyFile: string;
  clock: Clock;
  prices?: Readonly<Record<string, Price>>;
  recordings?: Recordings | null;
  acceptance?: Acceptance;
  fetch?: ProviderFetch;
  /** Instead of those that follow from `settings().timeoutMs`. */
  timeouts?: Timeouts;
  /** Told once for each model, before anything is sent to it. */
  announce?: (chosen: Chosen) => void;
  /** Told of every call that was sent, whole. */
  told?: (call: SentCall) => void;
}

/** Which models there are, and who is asked for what. Opening it loads no provider's code and asks nobody. */
export interface Models {
  forRole(role: ModelRole): ModelChain;
  /** That very model and nobody after it: for whoever keeps a chain of their own. */
  only(role: ModelRole, name: ModelName): ModelChain;
  list(): Promise<FoundProvider[]>;
  chainOf(role: ModelRole): Promise<readonly ModelName[]>;
  /** One tiny call. */
  test(name: ModelName, ledger: CallLedger, signal: AbortSignal): Promise<Answer>;
}

export function openModels(options: ModelsOptions): Models {
  const { env, settings, keyFile, clock, acceptance, recordings = null, announce } = options;
  const fetch = options.fetch ?? createFetch(env);
  const discovery = createDiscovery({ env, keyFile, settings, fetch, clock });
  const caller: Caller = {
    clock,
    fetch,
    recordings,
    prices: createPrices(options.prices),
    access: discovery.access,
    dialects: new Map(),
    told: options.told,
    sees: createSees(fetch),
    timeouts: (url) => options.timeouts ?? timeoutsFor(url, settings().timeoutMs),
  };
  const announced = new Set<string>();

  const tell = (role: ModelRole, model: ModelName, why: string): void => {
    const id = printModelName(model);
    if (announced.has(id) || announce === undefined || recordings?.mode === 'replay') return;
    announced.add(id);
    const facts = providerFacts(model.provider);
    const url = facts === null ? null : urlOf(model.provider, facts, env, settings().url);
    announce({
      role,
      model,
      why,
      host: url === null ? '' : hostOf(url),
      isLocal: url !== null && isLoopback(url),
    });
  };

  const chainOf = async (role: ModelRole) => {
    const { names, whyOf } = await discovery.chainOf(role);
    const rates = (await acceptance?.rates(role).catch(() => null)) ?? new Map<string, Rate>();
    const ordered = orderByAcceptance(names, rates);
    return {
      names: ordered,
      whyOf(name: ModelName): string {
        const known = rateOf(name, rates);
        // Only where it decided something.
        if (known === null || ordered.every((one, at) => one === names[at])) return whyOf(name);
        return `${whyOf(name)}, and ${known.accepted} of ${known.asked} of its answers could be used`;
      },
    };
  };

  /** Says before the first use why it is this model. */
  const announcing = (
    role: ModelRole,
    pick: (names: readonly ModelName[]) => readonly ModelName[],
    isPart = false,
  ) => {
    let whyOf = (_: ModelName): string => '';
    return createChain({
      role,
      caller,
      isPart,
      async names() {
        const chain = await chainOf(role);
        whyOf = chain.whyOf;
        return pick(chain.names);
      },
      asking: (name) => tell(role, name, whyOf(name) || 'it is next in the chain'),
    });
  };

  return {
    forRole: (role) => announcing(role, (names) => names),
    only: (role, name) => announcing(role, () => [name], true),
    list: discovery.find,
    chainOf: async (role) => (await chainOf(role)).names,
    test(name, ledger, signal) {
      const chain = createChain({ role: 'fast', caller, names: async () => [name], asking: () => {} });
      const messages = [{ role: 'user' as const, content: 'Answer with the one word: ready' }];
      const purpose = 'say that it is there';
      return chain.callRaw(
        { system: 'You are being tested.', messages, purpose, signal, maxOutputTokens: 256 },
        ledger,
      );
    },
  };
}

/** A local server may have to load the model first; a hosted one that is silent for long will not speak. */
const timeoutsFor = (url: string, total: number): Timeouts =>
  isLoopback(url)
    ? { total, firstByte: total, idle: total / 2 }
    : { total, firstByte: total / 2, idle: total / 4 };
