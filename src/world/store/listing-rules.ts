import { dueAt, type StreamRow } from '../../core/contract/index.ts';

/** Whether the listing has to be written at all: most events change nothing that it is read by. */
export const isListedAlike = (a: StreamRow, b: StreamRow): boolean =>
  a.state === b.state &&
  a.workspace === b.workspace &&
  a.createdAt === b.createdAt &&
  a.endedAt === b.endedAt &&
  a.awaits === b.awaits &&
  dueAt(a) === dueAt(b);

/** Whether whoever waits for the stream has waited long enough. */
export const endsWith = (before: StreamRow | null, after: StreamRow): boolean =>
  after.endedAt !== null && (before?.endedAt ?? null) === null;

/** The stream that is waited for from here on. */
export const awaitsFrom = (before: StreamRow | null, { awaits }: StreamRow): string | null =>
  awaits === (before?.awaits ?? null) ? null : awaits;
