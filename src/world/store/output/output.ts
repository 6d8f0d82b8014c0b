import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Output, OutputChunk } from '../../../core/stream/index.ts';
import { StoreError, toStoreError } from '../errors.ts';
import { notedErrors, noteErrors, readErrors } from './errors.ts';
import {
  endOf,
  findLog,
  headBytes,
  headOf,
  type LogPiece,
  logPath,
  marker,
  pieceAt,
  pieceBytes,
} from './files.ts';
import { followBy } from './follow.ts';
import { openServiceLog } from './service-log.ts';

const followMs = 40;

/** Logs as files under a folder. Writes are done when the calls return: a promise is only ever about what went wrong. */
export function createOutput(root: string): Output {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, root);
    }
  };
  const read: Output['read'] = async (stream, of, attemptIndex, offset, limit) =>
    guard(() => readLog(logPath(root, [stream, of, attemptIndex]), offset, limit));

  return {
    async writer(...name) {
      const writer = guard(() => openLog(logPath(root, name)));
      return {
        write: async (chunk, from) => guard(() => writer.write(chunk, from)),
        end: async () => guard(() => writer.end()),
      };
    },
    async serviceLog(...name) {
      const { fd, path, cap, close } = guard(() => openServiceLog(logPath(root, name)));
      return { fd, path, cap: async () => guard(cap), close: async () => close() };
    },
    read,
    async errors(...name) {
      return guard(() => readErrors(logPath(root, name)));
    },
    follow: followBy(read, followMs, followMs),
  };
}

/** The folder is that of the whole stream: it is made for the first of its logs. */
function openFirst(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'a', 0o600);
  }
}

function openLog(log: string) {
  const { pieces } = findLog(log);
  let piece = pieces.at(-1) ?? headOf(log);
  let fd = openFirst(piece.path);
  let used = fstatSync(fd).size;
  let isOpen = true;
  const noteError = noteErrors(log);

  /** The new piece is there before the oldest goes: whatever a reader finds, the end is in it. */
  const rotate = () => {
    const next = pieceAt(log, piece.start + used);
    const nextFd = openSync(next.path, 'a', 0o600);
    closeSync(fd);
    [piece, fd, used] = [next, nextFd, 0];
    for (const old of findLog(log).pieces.slice(1, -2)) rmSync(old.path, { force: true });
  };

  return {
    write(chunk: Uint8Array, from?: 'stderr'): void {
      if (!isOpen) throw new StoreError('store-closed', 'This output log has been ended.');
      const start = piece.start + used;
      for (let done = 0; done < chunk.length; ) {
        const room = (piece.start === 0 ? headBytes : pieceBytes) - used;
        if (room <= 0) {
          rotate();
          continue;
        }
        const written = writeSync(fd, chunk, done, Math.min(room, chunk.length - done));
        done += written;
        used += written;
      }
      if (from === 'stderr') noteError(start, piece.start + used);
    },
    end(): void {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
      closeSync(openSync(endOf(log), 'a', 0o600));
    },
  };
}

function readLog(log: string, offset: number, limit: number): OutputChunk {
  for (;;) {
    const { pieces, isEnded } = findLog(log);
    const noted = notedErrors(log);
    const last = pieces.at(-1);
    if (!last) return { bytes: new Uint8Array(), next: offset, size: 0, isEnded, noted };
    const lengths = pieces.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size);
    // A piece that went away while we looked: look again.
    if (lengths.includes(undefined)) continue;
    const size = last.start + lengths.at(-1)!;
    if (offset >= size) return { bytes: new Uint8Array(), next: offset, size, isEnded, noted };

    const index = pieces.findLastIndex(({ start }) => start <= offset);
    const piece = pieces[index]!;
    if (offset >= piece.start + lengths[index]!) {
      return {
        bytes: new TextEncoder().encode(marker),
        next: pieces[index + 1]!.start,
        size,
        isEnded,
        noted,
      };
    }
    const bytes = readPiece(piece, offset, limit);
    if (bytes) return { bytes, next: offset + bytes.length, size, isEnded, noted };
  }
}

/** Undefined where the writer has removed the piece meanwhile. */
function readPiece(piece: LogPiece, offset: number, limit: number): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(piece.path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const left = Math.max(0, fstatSync(fd).size - (offset - piece.start));
    const bytes = new Uint8Array(Math.min(limit, left));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset - piece.start));
  } finally {
    closeSync(fd);
  }
}
