export type { Protocol } from './address.ts';
export { packWork } from './carry.ts';
export { type Cleaned, cleanCache } from './clean.ts';
export { makeFolder } from './folder.ts';
export { type Caching, resolveSource } from './mirror.ts';
export { makeProject, packLeft, shareBranch } from './share.ts';
