export { isLoopback } from './http/hosts.ts';
export { tokenHash } from './http/token.ts';
export { findServer, type Notice } from './notice.ts';
export { type RunningServer, type ServerOptions, type StartedServer, startServer } from './server.ts';
