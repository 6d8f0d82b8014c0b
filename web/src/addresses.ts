import type { BoardFilter } from './model/board.ts';

/** What the addresses of the app carry besides their path. */
export const tabs = ['output', 'result', 'changes', 'attempts', 'story', 'events', 'summary'] as const;
export type Tab = (typeof tabs)[number];

export const shows = ['active', 'waiting', 'done', 'failed'] as const;

export const sorts = ['created', 'changed', 'goal', 'took'] as const;
export type Sort = (typeof sorts)[number];

export interface HomeSearch {
  q?: string | undefined;
  /** Only runs of this folder. */
  folder?: string | undefined;
  sort?: Sort | undefined;
  show?: (typeof shows)[number] | undefined;
}

export interface RunSearch {
  step?: string | undefined;
  tab?: Tab | undefined;
  attempt?: number | undefined;
  /** A line of the output that was linked to. */
  line?: number | undefined;
  /** The run as it was at this event. */
  at?: number | undefined;
  /** A conversation about it is open beside it. */
  ask?: true | undefined;
}

export const taskTabs = ['plan', 'work', 'changes', 'context'] as const;
export type TaskTab = (typeof taskTabs)[number];

export interface BoardSearch extends BoardFilter {
  /** What is being made. */
  new?: 'task' | 'project' | undefined;
}

export interface TaskSearch {
  tab?: TaskTab | undefined;
  /** A stay of the task in a mode, by its number. */
  phase?: number | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const whole = (value: unknown) => {
  const n = Number(value);
  return value !== undefined && Number.isInteger(n) && n >= 0 ? n : undefined;
};
const one = <T extends string>(value: unknown, of: readonly T[]) => of.find((known) => known === value);
/** What is missing stays out of the address. */
const present = <T extends object>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const readHomeSearch = (search: Record<string, unknown>): HomeSearch =>
  present({
    q: text(search['q']),
    folder: text(search['folder']),
    sort: one(search['sort'], sorts),
    show: one(search['show'], shows),
  });

export const readBoardSearch = (search: Record<string, unknown>): BoardSearch =>
  present({
    project: text(search['project']),
    q: text(search['q']),
    kind: one(search['kind'], ['feature', 'bug'] as const),
    mine: search['mine'] === true ? true : undefined,
    new: one(search['new'], ['task', 'project'] as const),
  });

export const readTaskSearch = (search: Record<string, unknown>): TaskSearch =>
  present({ tab: one(search['tab'], taskTabs), phase: whole(search['phase']) });

export const readRunSearch = (search: Record<string, unknown>): RunSearch =>
  present({
    step: text(search['step']),
    tab: one(search['tab'], tabs),
    attempt: whole(search['attempt']),
    line: whole(search['line']),
    at: whole(search['at']),
    ask: search['ask'] === true ? true : undefined,
  });
