import { dueAt, type StreamRow } from '../../core/contract/index.ts';

/** What a listing filters and sorts by, besides the row itself. */
export interface Listed {
  state: string;
  workspace: string;
  createdAt: number;
  endedAt: number | null;
  dueAt: number | null;
  awaits: string | null;
}

/** `hasEnded` says whether a stream that is waited for has ended: then whoever waits is due. */
export function listed(row: StreamRow, hasEnded: (stream: string) => boolean): Listed {
  const { state, workspace, createdAt, endedAt, awaits, updatedAt } = row;
  const due = dueAt(row);
  const isOver = endedAt === null && awaits !== null && hasEnded(awaits);
  return {
    state,
    workspace,
    createdAt,
    endedAt,
    awaits,
    dueAt: isOver ? Math.min(due ?? updatedAt, updatedAt) : due,
  };
}

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
