export {
  checkExpectation,
  type ExpectationContext,
  isCheckableAnytime,
} from './expectations/check.ts';
export { type OutputWatch, watchOutput } from './expectations/output.ts';
export { performanceOf } from './performances.ts';
export { createPerformer } from './performer.ts';
export type {
  OutputPort,
  PerformerOptions,
  SandboxPort,
  SecretFilter,
  TerminalPort,
  VerdictPort,
} from './ports.ts';
export { resolveAndJudge } from './resolve/index.ts';
