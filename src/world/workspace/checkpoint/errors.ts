/**
 * What checkpoints can refuse, in one word that a machine can act on.
 *
 *   git-missing         there is no `git` to be started
 *   git-failed          git ended with an error that is not one of the others
 *   workspace-missing   the workspace is not a folder
 *   data-unwritable     the data folder cannot be written, or its disk is full
 *   checkpoints-locked  another process kept the checkpoints of this workspace for longer than we wait
 *   checkpoint-unknown  no such checkpoint: it never was, or it has expired
 *   elsewhere           it was taken on another host
 *   checkpoints-closed  used after `close`
 *   aborted             nobody wants it any more
 */
export type CheckpointErrorCode =
  | 'git-missing'
  | 'git-failed'
  | 'workspace-missing'
  | 'data-unwritable'
  | 'checkpoints-locked'
  | 'checkpoint-unknown'
  | 'elsewhere'
  | 'checkpoints-closed'
  | 'aborted';

/** The only error that checkpoints throw. Its message is a sentence that says what happened and what to do. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: CheckpointErrorCode;
  /** How a command ends that could not go on because of this. */
  readonly exitCode: number = 1;

  constructor(code: CheckpointErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The system's own code of a failure (ENOENT…), or ''. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? '';

const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** Says in a CheckpointError what went wrong with the data folder; one that is one already stays as it is. */
export function toCheckpointError(error: unknown, where: string): CheckpointError {
  if (error instanceof CheckpointError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (unwritable.has(codeOf(error)))
    return new CheckpointError(
      'data-unwritable',
      `Checkpoints cannot be written to ${where}: ${reason}. Free some space there or make it writable.`,
      error,
    );
  return new CheckpointError('git-failed', `The checkpoint at ${where} failed: ${reason}.`, error);
}
