export { startAnthropic } from './anthropic.ts';
export { startGoogle } from './google.ts';
export { startOllama } from './ollama.ts';
export { startOpenAi } from './openai.ts';
export type { Behaviour, Script } from './script.ts';
export type { WireServer } from './server.ts';
