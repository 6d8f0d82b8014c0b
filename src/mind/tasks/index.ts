export type { Agent, AgentHost, Allowed, PerformOptions } from './agent.ts';
export { failedRun } from './agent.ts';
export { type AcpProgram, createAcpAgent } from './agents/acp/acp.ts';
export { type Conversing, createBuiltInAgent, type TurnSaid } from './agents/built-in.ts';
export { type ClaudeCode, createClaudeCodeAgent } from './agents/claude-code/claude-code.ts';
export type { ClaudeSdk } from './agents/claude-code/sdk.ts';
export { createReviewer } from './agents/reviewer.ts';
export { builtInScripts, Script } from './agents/script.ts';
export { createScriptedAgent } from './agents/scripted.ts';
