import type { StreamRow } from '../../../core/contract/index.ts';
import { HttpError } from '../http/errors.ts';

/** Where a reader that comes back had been. */
export const lastSeen = (request: Request): string | null => request.headers.get('last-event-id') || null;

export function lastSeq(request: Request): number | null {
  const header = lastSeen(request);
  if (header === null) return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new HttpError(400, 'invalid', 'Last-Event-ID is not one that was sent');
}

type Place = Pick<StreamRow, 'createdAt' | 'id'>;

/** Names the last row of a page. */
export const cursorOf = ({ createdAt, id }: Place): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

export function readCursor(cursor: string): Place {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof createdAt === 'number' && typeof id === 'string') return { createdAt, id };
  } catch {}
  throw new HttpError(400, 'invalid', 'this cursor is not one that was given out');
}
