import { statSync } from 'node:fs';

/**
 * Why no process was started.
 * bad-script: a shell cannot be given it · no-shell: there is none · no-directory: it cannot start there
 * no-sandbox: none can be made around it · no-room: the system had no process, descriptor or memory left, or the
 * environment is too large for it
 */
export interface StartFailure {
  code: 'bad-script' | 'no-shell' | 'no-directory' | 'no-sandbox' | 'no-room' | 'other';
  /** A clause that fits behind "it could not be started:". */
  message: string;
}

const exhausted: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many files open',
  ENFILE: 'the system has too many files open',
  EAGAIN: 'the system allows no further process',
  ENOMEM: 'the system has no memory left',
  E2BIG: 'the environment is larger than the system allows',
};

/** Says what a failed spawn means. The system answers ENOENT for the program and the directory alike: look. */
export function describeStartFailure(error: unknown, cwd: string): StartFailure {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const directory = directoryProblem(cwd);
  if (directory) return { code: 'no-directory', message: directory };
  const room = exhausted[code];
  if (room) return { code: 'no-room', message: `${room} (${code})` };
  if (code === 'ENOENT') return { code: 'no-shell', message: 'the shell was not found' };
  if (code === 'EACCES') return { code: 'no-directory', message: `the directory ${cwd} cannot be entered` };
  return { code: 'other', message: error instanceof Error ? error.message : String(error) };
}

function directoryProblem(cwd: string): string | null {
  try {
    return statSync(cwd).isDirectory() ? null : `${cwd} is not a directory`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `the directory ${cwd} does not exist`
      : `the directory ${cwd} cannot be entered`;
  }
}
