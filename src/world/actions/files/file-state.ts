import { createHash } from 'node:crypto';
import { constants, readlinkSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { entryAt, type LocatedPath, specialError } from '../../workspace/index.ts';

const CHUNK = 1024 * 1024;

/** Opens the file that is at this place. Follows no link, waits for no pipe, and takes nothing but a file. */
export async function openFile(path: string, shown: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw specialError(shown, stats);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** All of a file in pieces. Each is valid until the next is asked for. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The file's bytes; null where there are more than `limit`. */
export async function readWhole(path: string, shown: string, limit: number): Promise<Buffer | null> {
  const handle = await openFile(path, shown);
  try {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of piecesOf(handle)) {
      size += piece.length;
      if (size > limit) return null;
      pieces.push(Buffer.from(piece));
    }
    return Buffer.concat(pieces);
  } finally {
    await handle.close();
  }
}

/** What is at a path, in one word of a FileChange: see there. */
export async function stateAt(path: string, shown: string): Promise<string> {
  const { kind } = entryAt(path);
  if (kind === 'absent') return 'absent';
  if (kind === 'folder') return 'dir';
  if (kind === 'link') return `link:${readlinkSync(path)}`;
  if (kind === 'special') return 'special';
  const hash = createHash('sha256');
  const handle = await openFile(path, shown);
  try {
    for await (const piece of piecesOf(handle)) hash.update(piece);
  } finally {
    await handle.close();
  }
  return `file:${hash.digest('hex')}`;
}

export const stateOfBytes = (bytes: Uint8Array): string =>
  `file:${createHash('sha256').update(bytes).digest('hex')}`;

/** Whether the same thing is still there, as far as one look tells. */
export function isUntouched(place: LocatedPath): boolean {
  const [before, now] = [place.entry.stats, entryAt(place.here()).stats];
  if (before === null || now === null) return before === now;
  const mark = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats) => [dev, ino, size, mtimeMs, ctimeMs].join();
  return mark(before) === mark(now);
}
