import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { headBytes, headOf, pieceAt, pieceBytes, piecesOf } from './files.ts';

/**
 * A service writes to the head of its log by itself, at the end of it whatever its length. To cap it, what is beyond
 * the size of a head is copied to the next piece and cut off: copy first, so that a crash in between shows a few bytes
 * twice rather than none.
 */
export function openServiceLog(log: string) {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const { path } = headOf(log);
  const fd = openSync(path, 'a', 0o600);
  let isOpen = true;
  return {
    fd,
    path,
    cap: () => capHead(log),
    close(): void {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function capHead(log: string): void {
  const head = openSync(headOf(log).path, 'r+');
  try {
    const excess = fstatSync(head).size - headBytes;
    if (excess <= 0) return;
    const last = piecesOf(log).at(-1)!;
    const end = last.start === 0 ? headBytes : last.start + statSync(last.path).size;
    const kept = Math.min(excess, pieceBytes);
    const bytes = Buffer.allocUnsafe(kept);
    const read = readSync(head, bytes, 0, kept, headBytes + excess - kept);
    const piece = openSync(pieceAt(log, end + excess - kept).path, 'a', 0o600);
    try {
      writeSync(piece, bytes, 0, read);
    } finally {
      closeSync(piece);
    }
    ftruncateSync(head, headBytes);
    for (const old of piecesOf(log).slice(1, -2)) rmSync(old.path, { force: true });
  } finally {
    closeSync(head);
  }
}
