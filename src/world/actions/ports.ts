import type { Expectation, Session, Shell, SimpleAction, Verdict } from '../../core/contract/index.ts';
import type { Clock } from '../../core/engine/index.ts';

/** Where the output of attempts goes: one log each. */
export interface OutputPort {
  /** May throw: then the attempt is not begun. */
  writer(run: string, stepId: string, attemptIndex: number): OutputWriter;
}

export interface OutputWriter {
  /** Called in order, without waiting for the writes before. May throw: then nothing more is written. */
  write(chunk: Uint8Array): void | Promise<void>;
  /** Called once, after all writes are done. */
  end(): void | Promise<void>;
}

/** How much of a long output a log keeps. */
export const LOG_BYTES = 5 * 1024 * 1024;

/** Takes secrets out of one stream. What may be the beginning of one is held back until more comes. */
export interface SecretFilter {
  write(chunk: Uint8Array): Uint8Array;
  flush(): Uint8Array;
}

/** Judges one action, all values in place. Loops are judged item by item. */
export type VerdictPort = (
  action: SimpleAction,
  place: { session: Session; workspace: string; shell: Shell },
) => Verdict | Promise<Verdict>;

export interface PerformerOptions {
  output: OutputPort;
  /** The caller's environment; what a step must not see is taken out here. */
  baseEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  judge: VerdictPort;
  /** Reads the checkable forms of `expects`; null for text that is only shown. */
  parseExpects: (text: string) => Expectation | null;
  filterSecrets?: () => SecretFilter;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number;
}
