/** Variables that may hold the key of a provider that Planwright can ask, the first that is set wins. */
export const modelKeys = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
  compatible: ['COMPATIBLE_API_KEY'],
} as const;

/** Those of providers that only other programs ask. */
const others =
  'ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN GOOGLE_API_KEY AZURE_OPENAI_API_KEY OPENROUTER_API_KEY MISTRAL_API_KEY GROQ_API_KEY XAI_API_KEY DEEPSEEK_API_KEY COHERE_API_KEY TOGETHER_API_KEY FIREWORKS_API_KEY PERPLEXITY_API_KEY';

/** Whoever has one of them can spend somebody's money on models. */
export const modelKeyVariables: ReadonlySet<string> = new Set([
  ...Object.values(modelKeys).flat(),
  ...others.split(' '),
]);
