export { createPerformer } from './performer.ts';
export type {
  PerformerOptions,
  SandboxPort,
  TerminalPort,
  VerdictPort,
} from './ports.ts';
export { resolveAndJudge } from './resolve/index.ts';
