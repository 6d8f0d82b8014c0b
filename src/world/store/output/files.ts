import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LogName } from '../../../core/stream/index.ts';

/**
 * An attempt's log on the disk, all in the folder of its stream:
 *
 *   <step>.<attempt>.head        the first 4 MB; there when something was said
 *   <step>.<attempt>.<offset>    a piece of what follows, named by the place of its first byte
 *   <step>.<attempt>.err         the places of what came from stderr, a line for each
 *   ends                         a line `<step>.<attempt>.end` for each attempt that has ended
 *
 * Of the pieces the newest two are kept. What has been removed between the head and the oldest piece is the
 * gap. Nothing is ever rewritten or renamed, so a crash loses nothing and a reader needs no lock. A step that says nothing
 * makes no file: that would take a good part of its time.
 */
export const headBytes = 4 * 1024 * 1024;
export const pieceBytes = 512 * 1024;
export const marker = '\n[output truncated]\n';

export interface LogPiece {
  path: string;
  /** Place of its first byte in the whole output. */
  start: number;
}

const plain = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A file name for an id. What is not plainly a name is spelt out as far as it goes and told apart by a hash. */
export function fileNameOf(id: string): string {
  if (plain.test(id)) return id;
  const spelt = id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 48);
  return `${spelt}~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}

export const streamFolder = (root: string, stream: string): string => join(root, fileNameOf(stream));

export const logPath = (root: string, [stream, of, attemptIndex]: LogName): string =>
  join(streamFolder(root, stream), `${fileNameOf(of)}.${attemptIndex}`);

export const headOf = (log: string): LogPiece => ({ path: `${log}.head`, start: 0 });
export const pieceAt = (log: string, start: number): LogPiece => ({ path: `${log}.${start}`, start });
export const errorsOf = (log: string): string => `${log}.err`;
export const endOf = (log: string): string => `${log}.end`;

/** The pieces that there are of a log now, in order, the head first; none of one that nothing was written to. */
export function piecesOf(log: string): LogPiece[] {
  const head = headOf(log);
  const size = statSync(head.path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [];
  // Only a full head is followed by others: the folder, which holds the logs of all steps, is hardly ever read.
  return size < headBytes ? [head] : [head, ...laterPieces(log)];
}

function laterPieces(log: string): LogPiece[] {
  const prefix = `${basename(log)}.`;
  return readdirSync(dirname(log))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => pieceAt(log, Number(name.slice(prefix.length))))
    .sort((a, b) => a.start - b.start);
}
