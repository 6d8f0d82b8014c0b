export { parseRunbook } from './parse.ts';
export { partsOf, selectByHeading } from './select.ts';
export { type PickWay, settleWays } from './settle.ts';
