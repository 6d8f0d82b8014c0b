export { type McpConfig, type McpServer, readMcpConfig } from './config.ts';
export { type Mcp, openMcp } from './servers.ts';
