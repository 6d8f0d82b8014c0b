export { parseRunbook } from './parse.ts';
export { selectByHeading } from './select.ts';
export { type PickWay, settleWays } from './settle.ts';
