export { resolveAndJudge } from './resolve-and-judge.ts';
