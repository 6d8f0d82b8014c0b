import type { RunRow, WaitingItem } from '@contract';
import type { HomeSearch, Sort } from '../addresses.ts';

type Show = HomeSearch['show'];

/** Which states each choice of the listing means. */
export const shows: { show: Show; label: string; states: readonly RunRow['state'][] | null }[] = [
  { show: undefined, label: 'All', states: null },
  { show: 'waiting', label: 'Waiting for you', states: ['waiting', 'agreeing'] },
  { show: 'active', label: 'Going on', states: ['running', 'recovering', 'planning'] },
  { show: 'failed', label: 'Stopped', states: ['failed', 'paused'] },
  { show: 'done', label: 'Ended', states: ['done', 'cancelled'] },
];

const order: Record<Sort, (a: RunRow, b: RunRow) => number> = {
  created: (a, b) => b.createdAt - a.createdAt,
  changed: (a, b) => b.updatedAt - a.updatedAt,
  goal: (a, b) => a.goal.localeCompare(b.goal),
  took: (a, b) => took(b) - took(a),
};
const took = ({ endedAt, updatedAt, createdAt }: RunRow) => (endedAt ?? updatedAt) - createdAt;

/** The rows that have been read, in the order that is wanted. */
export const sorted = (rows: readonly RunRow[], sort: Sort): RunRow[] => rows.toSorted(order[sort]);

/** What waits stands above the list, once: the list leaves it out. The longest wait comes first. */
export function withoutWaiting(rows: readonly RunRow[], waiting: readonly WaitingItem[]): RunRow[] {
  const shown = new Set(waiting.map(({ row }) => row.id));
  return rows.filter(({ id }) => !shown.has(id));
}
export const longestFirst = (waiting: readonly WaitingItem[]): WaitingItem[] =>
  waiting.toSorted((a, b) => a.row.updatedAt - b.row.updatedAt);
