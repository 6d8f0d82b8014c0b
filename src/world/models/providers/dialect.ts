/**
 * How a request is written. `plain` is what every server of the OpenAI protocol understands: the role `system` and
 * `max_tokens`. `openai` is what OpenAI itself wants of its newer models: `developer` and `max_completion_tokens`.
 * `responses` is its Responses API. Other providers have one way each, `own`.
 */
export type Dialect = 'plain' | 'openai' | 'responses' | 'own';

const isOpenAi = (url: string): boolean => /^https:\/\/([\w-]+\.)*openai\.com(\/|$)/.test(url);

/** The dialects to try, in order: the next where a server does not take a request as the one before writes it. */
export function dialectsOf(provider: string, url: string): readonly [Dialect, ...Dialect[]] {
  if (provider === 'openai') return isOpenAi(url) ? ['responses'] : ['plain', 'openai'];
  if (provider === 'openai-chat') return isOpenAi(url) ? ['openai'] : ['openai', 'plain'];
  if (provider === 'openai-responses') return ['responses'];
  return provider === 'compatible' ? ['plain'] : ['own'];
}
