export { createMcpHttp, type McpHttp } from './http.ts';
export { serveMcp } from './stdio.ts';
