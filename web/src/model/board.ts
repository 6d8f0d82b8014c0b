import { mergedTo, needsPerson, type Priority, type TaskRow, type TaskView } from '@tasks';
import { matches } from './match.ts';

/** Which tasks are on the board; what is left out leaves none out. */
export interface BoardFilter {
  project?: string | undefined;
  q?: string | undefined;
  kind?: TaskRow['taskKind'] | undefined;
  /** Only those that wait for a person. */
  mine?: true | undefined;
}

export const filtered = (rows: readonly TaskRow[], { project, q = '', kind, mine }: BoardFilter): TaskRow[] =>
  rows.filter(
    (row) =>
      (project === undefined || row.project === project) &&
      (kind === undefined || row.taskKind === kind) &&
      (mine === undefined || needsPerson(row)) &&
      matches(`${row.title} ${row.id}`, q),
  );

export interface Column {
  name: string;
  title: string;
  kind: TaskRow['statusKind'];
  rows: readonly TaskRow[];
}

const weights: Record<Priority, number> = { urgent: 0, high: 1, normal: 2, low: 3 };
const urgentFirst = (a: TaskRow, b: TaskRow) =>
  weights[a.priority] - weights[b.priority] || b.updatedAt - a.updatedAt;

/**
 * A column for each status of the tasks' own pipelines, in their order: what only one of them has stands after what it has
 * before it. Ends come last.
 */
export function columnsOf(all: readonly TaskRow[], shown: readonly TaskRow[] = all): Column[] {
  const columns: Pick<Column, 'name' | 'title' | 'kind'>[] = [];
  for (const { statuses } of all) {
    let after = -1;
    for (const { name, title, kind } of statuses) {
      const known = columns.findIndex((column) => column.name === name);
      if (known < 0) columns.splice(after + 1, 0, { name, title, kind: kind as Column['kind'] });
      after = known < 0 ? after + 1 : known;
    }
  }
  const isEnd = ({ kind }: Pick<Column, 'kind'>) => kind === 'ended';
  return [...columns.filter((column) => !isEnd(column)), ...columns.filter(isEnd)].map((column) => ({
    ...column,
    rows: shown.filter(({ state }) => state === column.name).toSorted(urgentFirst),
  }));
}

/** Empty columns, and those of what has ended, are only a name, unless somebody has unfolded them. */
export const isFolded = ({ rows, kind }: Column): boolean => rows.length === 0 || kind === 'ended';

/** What dropping a task on a column does, or why nothing. */
export type Landing =
  | { how: 'move'; to: string; title: string }
  /** The end that merging leads to: it is asked how. */
  | { how: 'merge'; title: string }
  /** `guarded`: a way leads there, and something stands in it. */
  | { how: 'not'; why: string; guarded: boolean };

type Looked = Pick<TaskView, 'ways'> & { state: Pick<TaskView['state'], 'status' | 'pipeline' | 'phases'> };

export function landingOn({ ways, state }: Looked, column: Pick<Column, 'name' | 'title'>): Landing {
  if (column.name === state.status) return { how: 'not', why: 'It is here', guarded: false };
  const at = state.phases.some(({ status }) => status === 'active');
  if (at) return { how: 'not', why: 'An agent is at it: stop it first', guarded: false };
  const here = ways.filter(({ to }) => to === column.name);
  const open = here.find(({ against }) => against === null);
  if (open !== undefined) return { how: 'move', to: open.to, title: open.title };
  if (mergedTo(state) === column.name) return { how: 'merge', title: 'Merge it' };
  const why = here[0]?.against;
  return {
    how: 'not',
    why: why == null ? 'Nothing leads there from where it is' : `Not yet: ${why}`,
    guarded: why != null,
  };
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The card that the focus goes to; sideways past columns with nothing in them, at the same height where there is one. */
export function cardFrom(columns: readonly Column[], id: string | null, to: Direction): string | null {
  const full = columns.filter(({ rows }) => rows.length > 0);
  const at = full.findIndex(({ rows }) => rows.some((row) => row.id === id));
  if (at < 0) return full[0]?.rows[0]?.id ?? null;
  const { rows } = full[at]!;
  const height = rows.findIndex((row) => row.id === id);
  if (to === 'up' || to === 'down') return rows[height + (to === 'up' ? -1 : 1)]?.id ?? id;
  const beside = full[at + (to === 'left' ? -1 : 1)]?.rows;
  return beside === undefined ? id : (beside[Math.min(height, beside.length - 1)]?.id ?? id);
}
