export { chatKind } from './kind.ts';
export { type ChatMachine, createChatMachine } from './machine.ts';
export type * from './ports.ts';
