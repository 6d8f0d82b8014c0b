import type { LanguageModel } from 'ai';
import { providerFacts } from './catalogue.ts';
import type { Dialect } from './dialect.ts';
import type { ProviderFetch } from './fetch.ts';
import { strictLines } from './ollama-lines.ts';

export interface ProviderAccess {
  provider: string;
  url: string;
  /** Empty where none is needed. */
  key: string;
  fetch: ProviderFetch;
}

/** What a request will be, as far as providers need to know beforehand. */
export interface RequestSize {
  /** Of all that is sent. */
  inputTokens: number;
  maxOutputTokens: number;
}

/** What every provider's package makes. */
type ProviderModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;

export interface LoadedModel {
  model: ProviderModel;
  options: Record<string, Record<string, boolean | number | Record<string, number>>>;
}

/**
 * A model of a provider, whose code is loaded here and not before. Key and URL are always given, so that no SDK looks
 * into the environment by itself.
 */
export async function loadModel(
  { provider, url, key, fetch }: ProviderAccess,
  name: string,
  size: RequestSize,
  dialect: Dialect,
): Promise<LoadedModel> {
  const common = { baseURL: url, apiKey: key, fetch };
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return { model: createAnthropic(common)(name), options: {} };
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return { model: createGoogleGenerativeAI(common)(name), options: {} };
    }
    case 'moonshot': {
      const { createMoonshotAI } = await import('@ai-sdk/moonshotai');
      return { model: createMoonshotAI(common)(name), options: {} };
    }
    case 'ollama': {
      const { createOllama } = await import('ollama-ai-provider-v2');
      const made = createOllama({
        baseURL: `${url}/api`,
        fetch: strictLines(fetch),
        compatibility: 'strict',
      });
      return { model: made(name), options: { ollama: { options: ollamaOptions(size) } } };
    }
    default: {
      if (dialect === 'plain') {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        const made = createOpenAICompatible({
          name: provider,
          baseURL: url,
          fetch,
          includeUsage: true,
          supportsStructuredOutputs: providerFacts(provider)?.isStructured === true,
          ...(key === '' ? {} : { apiKey: key }),
        });
        return { model: made(name), options: {} };
      }
      const { createOpenAI } = await import('@ai-sdk/openai');
      const made = createOpenAI(common);
      // Strict mode allows no optional fields; what comes is validated here anyway.
      const options = { strictJsonSchema: false };
      return dialect === 'responses'
        ? { model: made.responses(name), options: { openai: { ...options, store: false } } }
        : { model: made.chat(name), options: { openai: options } };
    }
  }
}

const smallestContext = 4096;
const largestContext = 32_768;

/**
 * Ollama forgets the beginning of what is longer than its context, without a word, and its context is small unless
 * one asks for more. The SDK passes the limit of the output on under a name that Ollama does not know.
 */
function ollamaOptions({ inputTokens, maxOutputTokens }: RequestSize): Record<string, number> {
  let context = smallestContext;
  while (context < inputTokens + maxOutputTokens && context < largestContext) context *= 2;
  return { num_predict: maxOutputTokens, num_ctx: context };
}
