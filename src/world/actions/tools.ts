import type { Expectation } from '../../core/contract/index.ts';
import type { AttemptHooks, AttemptWork, Checkpoints, JudgeWork, RecoverWork } from '../../core/run/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import type { Environment } from '../process/environment.ts';
import type { SandboxPolicy } from '../process/index.ts';
import type { McpPort, OutputFilter, OutputPort, TerminalPort } from './ports.ts';

/** What all kinds of attempts share. */
export interface Tools {
  output: OutputPort;
  baseEnv: Environment;
  clock: Clock;
  filterSecrets: (() => OutputFilter) | undefined;
  /** Between SIGTERM and SIGKILL. */
  grace: { graceMs?: number };
  terminal: TerminalPort | undefined;
  mcp: McpPort | undefined;
  /** The sandbox that a step is to run in; null: it runs outside. */
  sandbox(work: JudgeWork): SandboxPolicy | null;
}

/** What surrounds one performance. */
export interface Attempt {
  expectation: Expectation | null;
  work: AttemptWork;
  hooks: AttemptHooks;
  checkpoints: Checkpoints | undefined;
  tools: Tools;
}

/** An attempt whose driver is gone. */
export interface Lost {
  expectation: Expectation | null;
  work: RecoverWork;
  tools: Tools;
}
