import { type ModelRole, modelKeys } from '../../../core/contract/index.ts';

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

/** One that is paid for: it needs a key, and takes a schema unless it is said otherwise. */
const hosted = (
  name: Uppercase<keyof typeof modelKeys>,
  defaultUrl: string,
  models: ReturnType<typeof same>,
): ProviderFacts => ({
  keyVariables: modelKeys[name.toLowerCase() as keyof typeof modelKeys],
  needsKey: true,
  urlVariable: `${name}_BASE_URL`,
  defaultUrl,
  isStructured: true,
  models,
  isFound: true,
});

const openai = hosted('OPENAI', 'https://api.openai.com/v1', same('gpt-6.1-sol', 'gpt-6-luna'));
/** Asked what it has; it needs no key. */
const own = { keyVariables: [], needsKey: false, models: null, isFound: true };

/** In the order in which they are preferred where several are found. */
export const providers: Readonly<Record<string, ProviderFacts>> = {
  anthropic: hosted(
    'ANTHROPIC',
    'https://api.anthropic.com/v1',
    same('claude-sonnet-5-5', 'claude-haiku-5-5'),
  ),
  /** The Responses API at OpenAI itself, chat completions at any other URL: that is what others speak. */
  openai,
  'openai-chat': { ...openai, isFound: false },
  'openai-responses': { ...openai, isFound: false },
  google: hosted(
    'GOOGLE',
    'https://generativelanguage.googleapis.com/v1beta',
    same('gemini-3.8-flash', 'gemini-3.5-flash-lite'),
  ),
  moonshot: {
    ...hosted('MOONSHOT', 'https://api.moonshot.ai/v1', same('kimi-k3', 'kimi-k2.6')),
    isStructured: false,
  },
  /** Whatever speaks the OpenAI protocol at the URL of `models.url`. */
  compatible: {
    ...own,
    keyVariables: modelKeys.compatible,
    urlVariable: null,
    defaultUrl: null,
    isStructured: false,
  },
  ollama: { ...own, urlVariable: 'OLLAMA_HOST', defaultUrl: 'http://127.0.0.1:11434', isStructured: true },
};

export const providerFacts = (name: string): ProviderFacts | null =>
  Object.hasOwn(providers, name) ? providers[name]! : null;
