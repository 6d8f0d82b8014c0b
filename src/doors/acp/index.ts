export { serveAcp } from './serve.ts';
