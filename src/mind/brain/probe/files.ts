import { constants } from 'node:fs';
import { access, lstat, open, readdir, readlink, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Probe } from './probe.ts';

export interface ProbeLimits {
  /** Bytes read of one file. */
  readonly maxBytes: number;
  /** Names taken of one folder. */
  readonly maxEntries: number;
  /** Milliseconds for one question to git. */
  readonly timeoutMs: number;
}

export const defaultLimits: ProbeLimits = { maxBytes: 64 * 1024, maxEntries: 2_000, timeoutMs: 2_000 };

/** The questions about files. Devices, pipes and sockets are never opened: reading one could hang or eat its content. */
export function fileProbe(
  cwd: string,
  { maxBytes, maxEntries }: ProbeLimits,
): Pick<Probe, 'kind' | 'link' | 'entries' | 'readText' | 'isExecutable'> {
  const at = (path: string): string =>
    path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : resolve(cwd, path);
  return {
    async kind(path) {
      try {
        const found = await stat(at(path));
        return found.isFile() ? 'file' : found.isDirectory() ? 'dir' : 'other';
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === 'ENOTDIR') return 'absent';
        if (code !== 'ENOENT') return null;
        return (await lstat(at(path)).catch(() => null)) === null ? 'absent' : 'other';
      }
    },
    async link(path) {
      try {
        return await readlink(at(path));
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        return code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR' ? false : null;
      }
    },
    async entries(folder) {
      try {
        return (await readdir(at(folder))).slice(0, maxEntries).sort();
      } catch {
        return null;
      }
    },
    async readText(path) {
      try {
        if (!(await stat(at(path))).isFile()) return null;
        const file = await open(at(path), constants.O_RDONLY | constants.O_NONBLOCK);
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
          return buffer.toString('utf8', 0, bytesRead);
        } finally {
          await file.close();
        }
      } catch {
        return null;
      }
    },
    async isExecutable(path) {
      try {
        if (!(await stat(at(path))).isFile()) return null;
        // Root may run nothing that nobody may: the bits decide, not access(2) alone.
        if (((await stat(at(path))).mode & 0o111) === 0) return false;
        await access(at(path), constants.X_OK);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EACCES' ? false : null;
      }
    },
  };
}
