import type { ModelRole } from '../../../core/contract/index.ts';

/** What Planwright knows of a provider before it loads any of its code. */
export interface ProviderFacts {
  /** Variables that may hold the key, the first that is set wins; none for those that need no key. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly urlVariable: string | null;
  /** Null: there is none, it must be given. */
  readonly defaultUrl: string | null;
  /** Takes a JSON schema and keeps to it. Elsewhere the schema is in the prompt. */
  readonly isStructured: boolean;
  /** What is used where nothing is configured; null where the server is asked what it has. */
  readonly models: Readonly<Record<ModelRole, string>> | null;
  /** Found by itself; others must be named. */
  readonly isFound: boolean;
}

const same = (model: string, fast: string) => ({ planner: model, brain: model, chat: model, fast });

const openai = {
  keyVariables: ['OPENAI_API_KEY'],
  needsKey: true,
  urlVariable: 'OPENAI_BASE_URL',
  defaultUrl: 'https://api.openai.com/v1',
  isStructured: true,
  models: same('gpt-6.1-sol', 'gpt-6-luna'),
} as const;

/** In the order in which they are preferred where several are found. */
export const providers: Readonly<Record<string, ProviderFacts>> = {
  anthropic: {
    keyVariables: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    urlVariable: 'ANTHROPIC_BASE_URL',
    defaultUrl: 'https://api.anthropic.com/v1',
    isStructured: true,
    models: same('claude-sonnet-5-5', 'claude-haiku-5-5'),
    isFound: true,
  },
  /** The Responses API at OpenAI itself, chat completions at any other URL: that is what others speak. */
  openai: { ...openai, isFound: true },
  'openai-chat': { ...openai, isFound: false },
  'openai-responses': { ...openai, isFound: false },
  google: {
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    needsKey: true,
    urlVariable: 'GOOGLE_BASE_URL',
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
    isStructured: true,
    models: same('gemini-3.8-flash', 'gemini-3.5-flash-lite'),
    isFound: true,
  },
  moonshot: {
    keyVariables: ['MOONSHOT_API_KEY'],
    needsKey: true,
    urlVariable: 'MOONSHOT_BASE_URL',
    defaultUrl: 'https://api.moonshot.ai/v1',
    isStructured: false,
    models: same('kimi-k3', 'kimi-k2.6'),
    isFound: true,
  },
  /** Whatever speaks the OpenAI protocol at the URL of `models.url`. */
  compatible: {
    keyVariables: ['COMPATIBLE_API_KEY'],
    needsKey: false,
    urlVariable: null,
    defaultUrl: null,
    isStructured: false,
    models: null,
    isFound: true,
  },
  ollama: {
    keyVariables: [],
    needsKey: false,
    urlVariable: 'OLLAMA_HOST',
    defaultUrl: 'http://127.0.0.1:11434',
    isStructured: true,
    models: null,
    isFound: true,
  },
};

export const providerFacts = (name: string): ProviderFacts | null =>
  Object.hasOwn(providers, name) ? providers[name]! : null;
