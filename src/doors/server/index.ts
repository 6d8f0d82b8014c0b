export { isLoopback } from './http/hosts.ts';
export type { ProxyRules } from './http/proxy.ts';
export { findServer, type Notice } from './notice.ts';
export { type RunningServer, type ServerOptions, type StartedServer, startServer } from './server.ts';
