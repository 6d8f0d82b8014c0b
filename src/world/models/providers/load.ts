import type { LanguageModel } from 'ai';
import type { Fetch } from './fetch.ts';

export interface ProviderAccess {
  provider: string;
  url: string;
  /** Empty where none is needed. */
  key: string;
  fetch: Fetch;
}

/**
 * A model of a provider, whose code is loaded here and not before. Key and URL are always given, so that no SDK looks
 * into the environment by itself.
 */
export async function loadModel(
  { provider, url, key, fetch }: ProviderAccess,
  model: string,
): Promise<LanguageModel> {
  const common = { baseURL: url, apiKey: key, fetch };
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(common)(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI(common)(model);
    }
    case 'moonshot': {
      const { createMoonshotAI } = await import('@ai-sdk/moonshotai');
      return createMoonshotAI(common)(model);
    }
    case 'ollama': {
      const { createOllama } = await import('ollama-ai-provider-v2');
      return createOllama({ baseURL: `${url}/api`, fetch, compatibility: 'strict' })(model);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const withKey = key === '' ? {} : { apiKey: key };
      return createOpenAICompatible({ name: provider, baseURL: url, fetch, includeUsage: true, ...withKey })(
        model,
      );
    }
    default: {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const made = createOpenAI(common);
      return speaksResponses(provider, url) ? made.responses(model) : made.chat(model);
    }
  }
}

const speaksResponses = (provider: string, url: string): boolean =>
  provider === 'openai-responses' ||
  (provider === 'openai' && /^https:\/\/[\w.-]*\bopenai\.com(\/|$)/.test(url));
