export { isLoopback } from './http/hosts.ts';
export { hashOf } from './http/token.ts';
export { findServer, keptToken, type Notice } from './notice.ts';
export { type RunningServer, type ServerOptions, type StartedServer, startServer } from './server.ts';
