export { startAnthropic } from './anthropic.ts';
export { startOllama } from './ollama.ts';
export { startOpenAi } from './openai.ts';
export type { Behaviour, Script, WireRequest } from './script.ts';
export type { WireServer } from './server.ts';
