import type { Clock } from '../../core/stream/index.ts';
import type { Environment } from '../process/index.ts';
import type { OutputPort, SandboxPort, SecretFilter, TerminalPort } from './ports.ts';

/** What all kinds of attempts share. */
export interface Tools {
  output: OutputPort;
  baseEnv: Environment;
  clock: Clock;
  filterSecrets: (() => SecretFilter) | undefined;
  /** Between SIGTERM and SIGKILL. */
  grace: { graceMs?: number };
  terminal: TerminalPort | undefined;
  sandbox: SandboxPort | undefined;
}
