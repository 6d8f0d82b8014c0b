/** How a command ends. Documented in docs/exit-codes.md. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  needsPerson: 3,
  limit: 4,
  unknown: 5,
  skips: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type AppErrorCode =
  | 'usage'
  | 'file-missing'
  | 'file-unreadable'
  | 'plan-invalid'
  | 'config-invalid'
  | 'input-missing'
  | 'no-such-run'
  | 'no-such-stream'
  | 'not-allowed'
  | 'ambiguous-run'
  | 'no-such-step'
  | 'run-unfinished'
  | 'no-model'
  | 'workspace-missing'
  | 'elsewhere'
  | 'secrets-sealed'
  | 'no-such-template'
  | 'no-plan'
  | 'not-kept'
  | 'refused';

/** Something that a person can put right. Its message is a sentence that says how. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly exitCode: ExitCode;

  constructor(code: AppErrorCode, message: string, options: { exitCode?: ExitCode; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode ?? exitCodes.usage;
  }
}
