import { z } from 'zod';
import type { ModelName } from '../../../core/contract/index.ts';
import type { ProviderFetch } from './fetch.ts';

const Shown = z.object({ capabilities: z.array(z.string()) });
const patience = 2000;

/**
 * Whether a model can look at pictures. Only Ollama says so of each of its models, and forgets pictures without a word where
 * one cannot; all other servers refuse what they do not take. Null: nobody said. Never throws.
 */
export function createSees(fetch: ProviderFetch) {
  const known = new Map<string, boolean>();
  return async (url: string, { provider, model }: ModelName): Promise<boolean | null> => {
    if (provider !== 'ollama') return null;
    const place = `${url} ${model}`;
    const before = known.get(place);
    if (before !== undefined) return before;
    try {
      const response = await fetch(`${url}/api/show`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model }),
        signal: AbortSignal.timeout(patience),
      });
      const sees = Shown.parse(await response.json()).capabilities.includes('vision');
      known.set(place, sees);
      return sees;
    } catch {
      return null;
    }
  };
}
