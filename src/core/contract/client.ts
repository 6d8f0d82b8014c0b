/** What `planwright/client` offers to other programs, in browsers too: what docs/server.md explains, and nothing else. */
export type { Action } from './action.ts';
export { type Client, type ClientOptions, createClient } from './api/client.ts';
export { type ConversationEvent, type ConversationOptions, createConversation } from './api/conversation.ts';
export { ApiError } from './api/errors.ts';
export type { CreateRun } from './api/runs.ts';
export type { Connection } from './api/stream.ts';
export type { RunEvent, StoredEvent } from './events.ts';
export type { Plan, Step } from './plan.ts';
export type { RequestBody } from './requests.ts';
export type { StepResult } from './result.ts';
export { evolve, fold } from './run/evolve.ts';
export type { RunRow } from './run/project.ts';
export { initialRunState, type RunState } from './run/state.ts';
