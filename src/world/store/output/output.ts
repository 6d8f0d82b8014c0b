import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Output, OutputChunk } from '../../../core/stream/index.ts';
import { StoreError, toStoreError } from '../errors.ts';
import { hasEnded, noteEnd } from './ends.ts';
import { notedErrors, noteErrors, readErrors } from './errors.ts';
import { headBytes, headOf, type LogPiece, logPath, marker, pieceAt, pieceBytes, piecesOf } from './files.ts';
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

/** The folder is that of the whole stream: it is made for the first of its logs. Throws where nothing can be put into it. */
function readyFolder(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
}

/** The piece that is written to. */
interface Open extends LogPiece {
  fd: number;
  used: number;
}

function openPiece(piece: LogPiece): Open {
  const fd = openSync(piece.path, 'a', 0o600);
  return { ...piece, fd, used: fstatSync(fd).size };
}

function openLog(log: string) {
  readyFolder(dirname(log));
  let open: Open | null = null;
  let isOver = false;
  const noteError = noteErrors(log);

  /** The new piece is there before the oldest goes: whatever a reader finds, the end is in it. */
  const rotate = (full: Open): Open => {
    const next = openPiece(pieceAt(log, full.start + full.used));
    closeSync(full.fd);
    for (const old of piecesOf(log).slice(1, -2)) rmSync(old.path, { force: true });
    return next;
  };

  return {
    write(chunk: Uint8Array, from?: 'stderr'): void {
      if (isOver) throw new StoreError('store-closed', 'This output log has been ended.');
      let piece = (open ??= openPiece(piecesOf(log).at(-1) ?? headOf(log)));
      const start = piece.start + piece.used;
      for (let done = 0; done < chunk.length; ) {
        const room = (piece.start === 0 ? headBytes : pieceBytes) - piece.used;
        if (room <= 0) {
          piece = open = rotate(piece);
          continue;
        }
        const written = writeSync(piece.fd, chunk, done, Math.min(room, chunk.length - done));
        done += written;
        piece.used += written;
      }
      if (from === 'stderr') noteError(start, piece.start + piece.used);
    },
    end(): void {
      if (isOver) return;
      isOver = true;
      if (open !== null) closeSync(open.fd);
      noteEnd(log);
    },
  };
}

function readLog(log: string, offset: number, limit: number): OutputChunk {
  for (;;) {
    // First: what comes before the end is there then.
    const isEnded = hasEnded(log);
    const pieces = piecesOf(log);
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
