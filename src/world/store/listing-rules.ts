import { dueAt, type StreamRow } from '../../core/contract/index.ts';
import type { ListingQuery } from '../../core/stream/index.ts';

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

/** So many are shown of those whose id begins as it was given. */
export const handful = 20;

/** A part of a statement, with a question mark for each value. */
export interface Condition {
  sql: string;
  values: (string | number)[];
}

/** Of a statement over the listing, which it calls `l`. How text is looked for is the database's own. */
export function conditions(
  { kind, state, workspace, text, before }: ListingQuery,
  textCondition: (text: string) => Condition,
) {
  const wanted: Condition[] = [];
  if (kind !== undefined) wanted.push({ sql: 'l.kind = ?', values: [kind] });
  if (state !== undefined) {
    const states = typeof state === 'string' ? [state] : state;
    wanted.push({ sql: `l.state IN (${states.map(() => '?').join(', ')})`, values: [...states] });
  }
  if (workspace !== undefined) wanted.push({ sql: 'l.workspace = ?', values: [workspace] });
  if (text !== undefined && text.trim() !== '') wanted.push(textCondition(text));
  if (before !== undefined)
    wanted.push({ sql: '(l.created_at, l.id) < (?, ?)', values: [before.createdAt, before.id] });
  const where = wanted.length > 0 ? `WHERE ${wanted.map(({ sql }) => sql).join(' AND ')}` : '';
  return { where, values: wanted.flatMap(({ values }) => values) };
}
