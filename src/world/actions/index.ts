export { createPerformer } from './performer.ts';
export type {
  PerformerOptions,
  TerminalPort,
  VerdictPort,
} from './ports.ts';
