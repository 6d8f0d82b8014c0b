import type { ModelName, ModelRole } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import { providerFacts, providers } from './providers/catalogue.ts';
import type { ProviderFetch } from './providers/fetch.ts';
import { findKey } from './providers/keys.ts';
import { createServed, orderServed } from './providers/served.ts';
import { hostOf, isLoopback, urlOf } from './providers/url.ts';
import type { ModelEnv, ModelSettings } from './settings.ts';

/** One provider as it stands here. */
export interface FoundProvider {
  provider: string;
  isUsable: boolean;
  /** Why it is usable, or what is missing. Never a key. */
  why: string;
  host: string;
  isLocal: boolean;
  models: Record<ModelRole, string[]>;
}

export interface FoundAccess {
  url: string;
  key: string;
}

export interface Discovery {
  /** All that could be used by itself, in the order of preference. */
  find(): Promise<FoundProvider[]>;
  /** The models of a role: as configured, or as found. */
  chainOf(role: ModelRole): Promise<{ names: readonly ModelName[]; whyOf(name: ModelName): string }>;
  /** What it takes to call a provider now; a sentence where something is missing. */
  access(provider: string): FoundAccess | string;
}

export interface DiscoveryOptions {
  env: ModelEnv;
  keyFile: string;
  settings: () => ModelSettings;
  fetch: ProviderFetch;
  clock: Clock;
}

const roles: readonly ModelRole[] = ['planner', 'brain', 'fast', 'chat'];

export function createDiscovery({ env, keyFile, settings, fetch, clock }: DiscoveryOptions): Discovery {
  const served = createServed(fetch, clock);

  function access(provider: string): FoundAccess | string {
    const facts = providerFacts(provider);
    if (facts === null)
      return `there is no provider ${JSON.stringify(provider)}; there are ${Object.keys(providers).join(', ')}`;
    const url = urlOf(provider, facts, env, settings().url);
    if (url === null) return `say where it answers: planwright config set models.url URL`;
    const key = findKey(provider, facts, env, keyFile, hostOf(url));
    if (key.ok) return { url, key: key.key };
    return facts.needsKey ? key.message : { url, key: '' };
  }

  async function findOne(provider: string): Promise<FoundProvider> {
    const facts = providers[provider]!;
    const found = access(provider);
    const url = urlOf(provider, facts, env, settings().url);
    const none = { planner: [], brain: [], fast: [], chat: [] };
    const place = { host: url === null ? '' : hostOf(url), isLocal: url !== null && isLoopback(url) };
    if (typeof found === 'string') return { provider, isUsable: false, why: found, ...place, models: none };
    if (facts.models !== null) {
      const key = findKey(provider, facts, env, keyFile, place.host);
      const models = Object.fromEntries(roles.map((role) => [role, [facts.models![role]]]));
      const why = key.ok ? `its key is in ${key.from}` : 'it needs no key';
      return { provider, isUsable: true, why, ...place, models: models as FoundProvider['models'] };
    }
    const has = await served(provider, found.url, found.key);
    if (!has.ok) return { provider, isUsable: false, why: has.message, ...place, models: none };
    if (has.models.length === 0)
      return { provider, isUsable: false, why: 'it answers, and has no model', ...place, models: none };
    const models = Object.fromEntries(roles.map((role) => [role, orderServed(has.models, role === 'fast')]));
    return {
      provider,
      isUsable: true,
      why: 'it answers',
      ...place,
      models: models as FoundProvider['models'],
    };
  }

  const find = async (): Promise<FoundProvider[]> => {
    const names = Object.keys(providers).filter((name) => providers[name]!.isFound);
    return Promise.all(names.map(findOne));
  };

  return {
    find,
    access,
    async chainOf(role) {
      const configured = settings().chains[role];
      if (configured !== undefined && configured.length > 0)
        return { names: configured, whyOf: () => `models.${role} says so` };
      const found = (await find()).filter(({ isUsable }) => isUsable);
      const names = found.flatMap(({ provider, models }) =>
        models[role].map((model) => ({ provider, model })),
      );
      const whyOf = ({ provider }: ModelName) => found.find((one) => one.provider === provider)?.why ?? '';
      return { names, whyOf };
    },
  };
}
