export { judgeAction } from './action.ts';
export { afterTurn, firstTurn, type InTurn, judgeInTurn, type Performed } from './in-turn.ts';
export { judgeCommand } from './judge.ts';
export { isMadeAgain, isTemporary, normalise, resolvePath } from './paths.ts';
export { isSecretFile } from './secret-paths.ts';
export type { HeldText, JudgeContext, NamesSource, Program, Written } from './types.ts';
export { atLeast, worse } from './verdict.ts';
