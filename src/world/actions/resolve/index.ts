export { type ResolveOptions, type ResolvePlace, resolveAndJudge } from './resolve-and-judge.ts';
