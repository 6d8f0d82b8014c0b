import type { StreamRow } from '../../../core/contract/index.ts';
import type { Queries } from './connection.ts';
import { listedAs } from './listed.ts';
import { writeWhole } from './logs.ts';
import type { PlainAppend } from './together.ts';

/** An append that ends its stream, with nothing to keep but its events. */
export interface EndingAppend extends PlainAppend {
  /** The stream's name. */
  stream: string;
  listed: StreamRow;
}

/** Somebody waits for the stream, and has to be told in the transaction that ends it: nothing of the append was written. */
export const isAwaited = Symbol('is awaited');

/**
 * Ends a stream for which nobody waits: whether somebody does is looked at with the stream's name locked. False where the stream
 * is not as the append says. The logs are written whatever comes of it.
 */
export async function writeEnd(
  db: Queries,
  channel: string,
  append: EndingAppend,
): Promise<boolean | typeof isAwaited> {
  const { stream, id, last, epoch, name, after, listed, events, logs } = append;
  const found = await db.query<{ id: number }>(advanceToEnd, [
    ...[channel, stream, id, last, epoch, name],
    ...[after.last, after.row, after.ids],
    ...[events.map(({ packed }) => packed), events.map(({ body }) => body)],
    ...listedAs(listed),
    ...[
      logs.map((log) => log.id),
      logs.map(({ name: [, of] }) => of),
      logs.map(({ name: [, , attempt] }) => attempt),
    ],
    logs.map(({ bytes }) => bytes),
  ]);
  const written = new Set(found.map((one) => one.id));
  // Those that somebody has begun before.
  for (const log of logs) if (!written.has(log.id)) await writeWhole(db, log).catch(() => {});
  return written.has(AWAITED) ? isAwaited : written.has(id);
}

const AWAITED = -1;
const advanceToEnd = `SELECT advance_to_end(${Array.from({ length: 21 }, (_, n) => `$${n + 1}`).join(', ')}) AS id`;
