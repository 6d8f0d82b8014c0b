export { judgeAction } from './action.ts';
export { judgeCommand } from './judge.ts';
export { isMadeAgain, isTemporary, normalise } from './paths.ts';
export type { JudgeContext } from './types.ts';
export { atLeast, worse } from './verdict.ts';
