import type {
  Expectation,
  Session,
  Shell,
  SingleAction,
  Step,
  Verdict,
  Warning,
} from '../../core/contract/index.ts';
import type { Checkpoints, JudgeWork } from '../../core/run/index.ts';
import type { Clock, Output } from '../../core/stream/index.ts';
import type { SandboxRules } from './sandboxing.ts';

/** Where the output of attempts goes: one log each. What cannot be opened lets the attempt not begin. */
export type OutputPort = Pick<Output, 'writer' | 'serviceLog' | 'read'>;

/** Who has the terminal that this process was started at. */
export interface TerminalPort {
  /** Resolves when nothing of ours is drawn there any more, and no key is read by us. */
  take(): Promise<void>;
  give(): void;
}

/** Tools of servers that a person has set up. Nothing of it rejects. */
export interface McpPort {
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ ok: boolean; text: string }>;
}

/** How much of a long output a log keeps. */
export const LOG_BYTES = 5 * 1024 * 1024;

/** Takes secrets out of one stream. What may be the beginning of one is held back until more comes. */
export interface OutputFilter {
  write(chunk: Uint8Array): Uint8Array;
  flush(): Uint8Array;
}

/** Judges one action, all values in place. Loops are judged item by item. */
export type VerdictPort = (
  action: SingleAction,
  place: {
    session: Session;
    workspace: string;
    shell: Shell;
    earlier?: JudgeWork['earlier'];
    /** Variables of the step alone, values in place. */
    env?: Step['env'];
    /** A model calls for it, and no person has seen it. */
    byModel?: boolean;
    /**
     * Called by a judge that can say later, more cheaply than by judging again, whether it would give the same verdict on the same
     * action in the same place: whether all that it looked at in the world is as it was.
     */
    proves?: ((isStill: () => boolean) => void) | undefined;
  },
) => Verdict | Promise<Verdict>;

export interface PerformerOptions {
  output: OutputPort;
  /** The caller's environment; what a step must not see is taken out here. */
  baseEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  judge: VerdictPort;
  /** Reads the checkable forms of `expects`; null for text that is only shown. */
  parseExpects: (text: string) => Expectation | null;
  filterSecrets?: () => OutputFilter;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** Left out, every step runs outside. */
  sandbox?: SandboxRules;
  /**
   * Looks, before a step is attempted, whether what it needs is there: files, its command, its port. Only looks; what it
   * does not know is no warning. In agentic mode the brain is asked before the step is tried.
   */
  precheck?: (work: JudgeWork) => Promise<Warning[]>;
  /** For restores, which without them cannot be performed. */
  checkpoints?: Checkpoints | undefined;
  /** For tools of servers, which without one cannot be called. */
  mcp?: McpPort | undefined;
  /** For interactive steps, which without one cannot be performed. */
  terminal?: TerminalPort | undefined;
}
