import { z } from 'zod';
import type { Clock } from '../../../core/stream/index.ts';
import type { ProviderFetch } from './fetch.ts';

/** A model that a server says it has. */
export interface ServedModel {
  name: string;
  bytes: number;
}

const OllamaTags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      size: z.number().optional(),
      details: z.object({ family: z.string().nullish() }).nullish(),
    }),
  ),
});
const OpenAiModels = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Models that turn text into vectors cannot answer. */
const cannotTalk = /embed|bert|bge-|minilm|rerank/i;

export type Served = { ok: true; models: ServedModel[] } | { ok: false; message: string };

const patience = 2000;
const fresh = 30_000;

/** What servers really have, asked at most every half minute. Never throws. */
export function createServed(fetch: ProviderFetch, clock: Clock) {
  const known = new Map<string, { at: number; served: Promise<Served> }>();
  return (provider: string, url: string, key: string): Promise<Served> => {
    const id = JSON.stringify([provider, url, key]);
    const found = known.get(id);
    if (found !== undefined && clock.now() - found.at < fresh) return found.served;
    const served = ask(fetch, provider, url, key);
    known.set(id, { at: clock.now(), served });
    return served;
  };
}

async function ask(fetch: ProviderFetch, provider: string, url: string, key: string): Promise<Served> {
  const path = provider === 'ollama' ? '/api/tags' : '/models';
  try {
    const response = await fetch(url + path, {
      signal: AbortSignal.timeout(patience),
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    });
    if (!response.ok) return { ok: false, message: `${url} answers ${response.status}` };
    return { ok: true, models: parse(provider, await response.json()) };
  } catch {
    return { ok: false, message: `nobody answers at ${url}` };
  }
}

function parse(provider: string, body: unknown): ServedModel[] {
  if (provider !== 'ollama') return OpenAiModels.parse(body).data.map(({ id }) => ({ name: id, bytes: 0 }));
  return OllamaTags.parse(body)
    .models.filter(({ name, details }) => !cannotTalk.test(name) && !cannotTalk.test(details?.family ?? ''))
    .map(({ name, size = 0 }) => ({ name, bytes: size }));
}

/** What did well before; a name stands for its variants (`…-q4_0`) too. */
const preferred = [
  'codellama:13b-instruct',
  'qwen2:7b-instruct',
  'mistral:7b-instruct',
  'deepseek-coder:6.7b-instruct',
];
const longestChain = 4;

/** The models of a local server in the order in which to ask them: the known good first; for `fast`, the smallest. */
export function orderServed(models: readonly ServedModel[], isFast: boolean): string[] {
  const rank = ({ name }: ServedModel): number => {
    const at = preferred.findIndex((wanted) => name === wanted || name.startsWith(`${wanted}-`));
    return at === -1 ? preferred.length : at;
  };
  const bySize = (a: ServedModel, b: ServedModel) => (isFast ? a.bytes - b.bytes : b.bytes - a.bytes);
  const ordered = models.toSorted((a, b) => (isFast ? bySize(a, b) : rank(a) - rank(b) || bySize(a, b)));
  return ordered.slice(0, longestChain).map(({ name }) => name);
}
