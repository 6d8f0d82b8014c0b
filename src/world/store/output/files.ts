import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LogName } from '../../../core/stream/index.ts';

/**
 * An attempt's log on the disk, all in the folder of its stream:
 *
 *   <step>.<attempt>.head        the first 4 MB
 *   <step>.<attempt>.<offset>    a piece of what follows, named by the place of its first byte
 *   <step>.<attempt>.end         there when the attempt has ended
 *
 * Of the pieces the newest two are kept. What has been removed between the head and the oldest piece is the
 * gap. Nothing is ever rewritten or renamed, so a crash loses nothing and a reader needs no lock.
 */
export const headBytes = 4 * 1024 * 1024;
export const pieceBytes = 512 * 1024;
export const marker = '\n[output truncated]\n';

export interface LogPiece {
  path: string;
  /** Place of its first byte in the whole output. */
  start: number;
}
export interface LogFiles {
  /** In order; the head is the first. */
  pieces: LogPiece[];
  isEnded: boolean;
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
export const endOf = (log: string): string => `${log}.end`;

/** What there is of a log now; nothing for one that has not been begun. */
export function findLog(log: string): LogFiles {
  const [folder, prefix] = [dirname(log), `${basename(log)}.`];
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    names = [];
  }
  const found: LogFiles = { pieces: [], isEnded: false };
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    if (rest === 'end') found.isEnded = true;
    else if (rest === 'head') found.pieces.push(headOf(log));
    else if (/^\d+$/.test(rest)) found.pieces.push(pieceAt(log, Number(rest)));
  }
  found.pieces.sort((a, b) => a.start - b.start);
  return found;
}
