export { parseRunbook } from './parse.ts';
export { selectByHeading } from './select.ts';
export { settleWays } from './settle.ts';
