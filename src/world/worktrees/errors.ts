/** Why something could not be done to a repository. Thrown inside this room; its door makes answers of them. */
export class WorktreeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'WorktreeError';
    this.code = code;
  }
}

export const failureOf = (error: unknown): { code: string; message: string } =>
  error instanceof WorktreeError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error) };
