import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { LogName, Output, OutputRange } from '../../../core/stream/index.ts';
import { StoreError } from '../errors.ts';
import { joinRanges } from '../output/errors.ts';
import { headOf, logPath, marker } from '../output/files.ts';
import { followBy } from '../output/follow.ts';
import { createOutput as createFiles } from '../output/output.ts';
import type { PostgresDatabase } from './connection.ts';
import { type LittleLogs, littleBytes } from './little-logs.ts';
import { beginLog, carryLog, chosenNumber, endLog, findLog, keepChunk, type Log, makeLog } from './logs.ts';

const quickMs = 50;
const slowMs = 400;

/**
 * Logs in the database, in chunks, so that every server reads them while they are written. What a service writes by itself
 * is a file on its machine, under `root`: it is carried over whenever somebody there looks after it or reads it.
 */
export function createOutput(db: PostgresDatabase, root: string, little: LittleLogs): Output {
  const files = createFiles(root);

  const carryOver = async (name: LogName): Promise<void> => {
    if (existsSync(headOf(logPath(root, name)).path)) await carryLog(db, files, name);
  };

  const read: Output['read'] = async (stream, of, attemptIndex, offset, limit) => {
    await little.settle(stream);
    await carryOver([stream, of, attemptIndex]);
    const log = await findLog(db, [stream, of, attemptIndex]);
    if (log === null) return { bytes: new Uint8Array(), next: offset, size: 0, isEnded: false, noted: 0 };
    const { size, isEnded, noted } = log;
    const none = { bytes: new Uint8Array(), next: offset, size, isEnded, noted };
    if (offset >= size) return none;
    const chunks = await db.query<{ start: number; bytes: Buffer }>(chunksFrom, [log.id, offset, limit]);
    // Removed while we looked: there is a gap now.
    const first = chunks.find(({ start, bytes }) => start + bytes.length > offset);
    if (first === undefined) return none;
    if (first.start > offset) return { ...none, bytes: new TextEncoder().encode(marker), next: first.start };
    const parts: Uint8Array[] = [];
    let next = offset;
    for (const { start, bytes } of chunks) {
      if (start + bytes.length <= next) continue;
      const room = limit - (next - offset);
      if (start > next || room <= 0) break;
      const part = bytes.subarray(next - start, next - start + room);
      parts.push(part);
      next += part.length;
    }
    return { ...none, bytes: new Uint8Array(Buffer.concat(parts)), next };
  };

  return {
    async writer(...name) {
      await carryOver(name);
      return openWriter(db, name, little);
    },
    async serviceLog(...name) {
      await makeLog(db, name);
      const log = await files.serviceLog(...name);
      return {
        ...log,
        async cap() {
          await carryOver(name);
          await log.cap();
        },
      };
    },
    read,
    async errors(...name) {
      const log = await findLog(db, name);
      if (log === null || log.noted === 0) return [];
      const found = await db.query<{ start: number; end: number }>(
        'SELECT start, "end" FROM log_errors WHERE log = $1 ORDER BY start',
        [log.id],
      );
      return joinRanges(found.map(({ start, end }): OutputRange => [start, end]));
    },
    follow: followBy(read, quickMs, slowMs),
  };
}

interface Pending {
  chunk: Uint8Array;
  from: 'stderr' | undefined;
  done: PromiseWithResolvers<void>;
}

/**
 * What comes while a write is under way goes with the next one, and so does the end: what is little, and soon over, is written
 * at once. What is there already is found when the log is begun.
 */
function openWriter(db: PostgresDatabase, name: LogName, little: LittleLogs) {
  let log: Log | null = null;
  let pending: Pending[] = [];
  let flushing: Promise<void> | null = null;
  let isFlushing = false;
  let isEnded = false;

  async function keep(batch: readonly Pending[]): Promise<void> {
    const bytes = Buffer.concat(batch.map(({ chunk }) => chunk));
    if (log === null) {
      const begun = await beginLog(db, name, bytes, errorsOf(batch, 0), isEnded);
      log = begun.log;
      if (begun.isOurs) return;
    }
    await keepChunk(db, log, bytes, errorsOf(batch, log.size));
    log = { ...log, size: log.size + bytes.length };
  }

  /** True where all of it waits here, and goes with the next append to the stream. */
  function leaveToNext(): boolean {
    const size = pending.reduce((sum, { chunk }) => sum + chunk.length, 0);
    const isLittle = size > 0 && size <= littleBytes && pending.every(({ from }) => from === undefined);
    if (!isLittle || isFlushing || log !== null) return false;
    little.keep({ id: chosenNumber(), name, bytes: Buffer.concat(pending.map(({ chunk }) => chunk)) });
    for (const { done } of pending) done.resolve();
    pending = [];
    return true;
  }

  async function flush(): Promise<void> {
    isFlushing = true;
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        await keep(batch);
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of [...batch, ...pending]) done.reject(error);
        pending = [];
      }
    }
    flushing = null;
    isFlushing = false;
  }

  return {
    async write(chunk: Uint8Array, from?: 'stderr') {
      if (isEnded) throw new StoreError('store-closed', 'This output log has been ended.');
      const done = Promise.withResolvers<void>();
      // The caller may use its own bytes again.
      pending.push({ chunk: chunk.slice(), from, done });
      flushing ??= setImmediate().then(flush);
      return done.promise;
    },
    async end(how?: { withNext: boolean }) {
      if (isEnded) return;
      isEnded = true;
      if (how?.withNext === true && leaveToNext()) return;
      await flushing;
      if (log?.isEnded !== true) await endLog(db, name);
    },
  };
}

/** Where errors are in a log that the batch goes on from here. */
function errorsOf(batch: readonly Pending[], from: number): OutputRange[] {
  const errors: OutputRange[] = [];
  let at = from;
  for (const { chunk, from: source } of batch) {
    if (source === 'stderr') errors.push([at, at + chunk.length]);
    at += chunk.length;
  }
  return joinRanges(errors);
}

/** The chunk that the place is in, or the one before it, and those after it that may be wanted. */
const chunksFrom = `
  SELECT start, bytes FROM (
    SELECT start, bytes, sum(octet_length(bytes)) OVER (ORDER BY start) - octet_length(bytes) AS before
    FROM (SELECT start, bytes FROM chunks WHERE log = $1
      AND start >= coalesce((SELECT max(start) FROM chunks WHERE log = $1 AND start <= $2), 0)
      ORDER BY start LIMIT 100) c) d
  WHERE before < $3::bigint + 65536 * 2 ORDER BY start`;
