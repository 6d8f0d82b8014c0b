import type { Client, RiskLevel, RunRow, WaitingChat, WaitingItem } from '@contract';
import type { WaitingTask } from '@tasks';
import { capital, waitingWords, wasItDone, workedOf } from '@told';
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

/** How many a choice of the listing shows, `asking` what waits for somebody; null where that is not known yet. */
export function countOf(
  show: Show,
  states: readonly string[] | null,
  counts: Readonly<Record<string, number>> | undefined,
  asking: number,
): number | null {
  if (counts === undefined) return null;
  if (show === 'waiting') return asking;
  return (states ?? Object.keys(counts)).reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

const order: Record<Sort, (a: RunRow, b: RunRow) => number> = {
  created: (a, b) => b.createdAt - a.createdAt,
  changed: (a, b) => b.updatedAt - a.updatedAt,
  goal: (a, b) => a.goal.localeCompare(b.goal),
  took: (a, b) => took(b) - took(a),
};
const took = (row: RunRow) => workedOf(row, row.updatedAt);

/** The folders of the rows that have been read, and the one that is chosen, each once and by name. */
export const foldersOf = (rows: readonly RunRow[], chosen: string | undefined): string[] =>
  [...new Set([...rows.map(({ workspace }) => workspace), ...(chosen === undefined ? [] : [chosen])])]
    .filter((folder) => folder !== '')
    .toSorted();

/** The rows that have been read, in the order that is wanted. */
export const sorted = (rows: readonly RunRow[], sort: Sort): RunRow[] => rows.toSorted(order[sort]);

/** What can be done with several runs at once: each with those that it is for. */
export interface Choices {
  deny: { id: string; approvalId: string }[];
  cancel: string[];
  remove: string[];
}
export function choicesFor(chosen: readonly RunRow[], waiting: readonly WaitingItem[]): Choices {
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    deny: waiting.flatMap(({ row, approval }) =>
      ids.has(row.id) && approval !== null ? [{ id: row.id, approvalId: approval.id }] : [],
    ),
    cancel: chosen.flatMap(({ id, endedAt }) => (endedAt === null ? [id] : [])),
    remove: chosen.flatMap(({ id, endedAt }) => (endedAt === null ? [] : [id])),
  };
}

/** What waits stands above the list, once: the list leaves it out. The longest wait comes first. */
export function withoutWaiting(rows: readonly RunRow[], waiting: readonly WaitingItem[]): RunRow[] {
  const shown = new Set(waiting.map(({ row }) => row.id));
  return rows.filter(({ id }) => !shown.has(id));
}
type Asked = Awaited<ReturnType<Client['waiting']>>;
/** A schedule whose file is not what was agreed to any more. */
interface WaitingSchedule {
  row: Asked['schedules'][number];
  asks: string;
  risk: null;
}
/** What waits for somebody: a run, a conversation, a task, or a schedule. */
export type Waits = WaitingItem | WaitingChat | WaitingTask | WaitingSchedule;
/** All of it, whatever it is; nothing where that is not known yet. */
export function allWaiting(asked: Asked | undefined): Waits[] {
  if (asked === undefined) return [];
  return [...asked.waiting, ...othersWaiting(asked)];
}
/** All but runs. */
export const othersWaiting = ({ chats, tasks, schedules }: Asked): Exclude<Waits, WaitingItem>[] => [
  ...chats,
  ...tasks,
  ...schedules.map((row) => ({ row, asks: row.broken ?? '', risk: null })),
];
export const isChat = (one: Waits): one is WaitingChat => one.row.kind === 'chat';
export const isSchedule = (one: Waits): one is WaitingSchedule => one.row.kind === 'schedule';
export const isTask = (one: Waits): one is WaitingTask => one.row.kind === 'task';
const isRun = (one: Waits): one is WaitingItem => one.row.kind === 'run';
export const keyOf = (one: Waits): string => `${one.row.id}/${isRun(one) ? one.stepId : one.asks}`;

/** What is asked, and of what. */
export function wordsOf(one: Waits): { asks: string; about: string; risk: RiskLevel | null } {
  if (!isRun(one)) return { asks: one.asks, about: aboutOf(one), risk: one.risk };
  const { row, stepTitle, approval, waitingFor, question } = one;
  const asks =
    waitingFor === 'interrupt' && stepTitle !== null
      ? wasItDone(stepTitle)
      : (question ?? stepTitle ?? capital(waitingWords[waitingFor]));
  return { asks, about: row.goal, risk: approval?.verdict.level ?? null };
}

const aboutOf = (one: Exclude<Waits, WaitingItem>): string =>
  isSchedule(one) ? one.row.name : one.row.title;

/** Where it is decided. */
export function wayTo(one: Waits) {
  const { id } = one.row;
  if (isChat(one)) return { to: '/chats/$chat', params: { chat: id } } as const;
  if (isSchedule(one)) return { to: '/fleet' } as const;
  if (isTask(one)) return { to: '/tasks/$task', params: { task: id } } as const;
  return { to: '/runs/$id', params: { id }, search: {} } as const;
}

/** What waits and is no run, of the folder and with the words that are looked for. */
export const waitingOf = <W extends Exclude<Waits, WaitingItem>>(
  waiting: readonly W[],
  folder: string | undefined,
  text: string,
): W[] =>
  waiting.filter(
    (one) =>
      (folder === undefined || one.row.workspace === folder) &&
      `${aboutOf(one)}\n${one.asks}`.toLowerCase().includes(text.toLowerCase()),
  );

/** What waits, as rows: also what stopped because nobody was there, which no state tells. */
export const waitingRows = (
  waiting: readonly WaitingItem[],
  folder: string | undefined,
  text: string,
): RunRow[] =>
  waiting
    .filter(
      ({ row, stepTitle }) =>
        (folder === undefined || row.workspace === folder) &&
        `${row.goal}\n${stepTitle ?? ''}`.toLowerCase().includes(text.toLowerCase()),
    )
    .map(({ row }) => row);
export const longestFirst = <W extends Waits>(waiting: readonly W[]): W[] =>
  waiting.toSorted((a, b) => a.row.updatedAt - b.row.updatedAt);

/** Runs whose plans somebody may want once more: the latest of each plan in its folder, and no undos. */
export const lately = (rows: readonly RunRow[], most = 4): RunRow[] =>
  sorted(rows, 'changed')
    .filter(({ undoes, stepsTotal }) => undoes === undefined && stepsTotal > 0)
    .filter(
      ({ goal, workspace }, at, all) =>
        all.findIndex((one) => one.goal === goal && one.workspace === workspace) === at,
    )
    .slice(0, most);
