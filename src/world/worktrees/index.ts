export { commitInClone, fetchFromClone, makeClone, removeClone } from './clone.ts';
export { commitLeft, topOf } from './commit.ts';
export type { Removed } from './gc.ts';
export { agentVariables } from './refs.ts';
export { createWorktrees, type Worktrees } from './worktrees.ts';
