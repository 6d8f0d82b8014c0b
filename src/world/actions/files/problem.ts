import type { SelfCorrect } from '../../../core/contract/index.ts';

/** Why a file action cannot be done, as a clause for a person. Nothing has been changed, unless it says so. */
export class FileProblem extends Error {
  /** Something has been changed already. */
  readonly halfway: boolean;
  constructor(message: string, options: ErrorOptions & { halfway?: boolean } = {}) {
    super(message, options);
    this.name = 'FileProblem';
    this.halfway = options.halfway ?? false;
  }
}

/** The same, and what could do better. */
export class SelfCorrectProblem extends FileProblem {
  readonly signal: SelfCorrect;
  constructor(signal: SelfCorrect) {
    super(signal.originalError);
    this.name = 'SelfCorrectProblem';
    this.signal = signal;
  }
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ENOENT: 'it is not there',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENOTEMPTY: 'the folder there is not empty',
  ELOOP: 'a link was put in its place meanwhile',
  ENAMETOOLONG: 'the name is too long',
  EFBIG: 'the file would be too large',
  EMFILE: 'this process has too many files open',
};

/** What went wrong, without descriptors and system calls, which say nothing to a person. */
export function sentenceOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  const word = code === undefined ? undefined : words[code];
  if (word !== undefined) return `${path}: ${word}`;
  return error instanceof Error ? error.message : String(error);
}
