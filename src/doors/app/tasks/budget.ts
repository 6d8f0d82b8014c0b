import { dollars } from '../../../core/contract/index.ts';
import type { AgentRunRow, ProjectSettings, TaskState } from '../../../core/contract/tasks/index.ts';
import { duration } from '../../../core/contract/told/index.ts';
import type { TaskDriving } from './driving.ts';

const MOST = 100_000;
const MINUTE = 60_000;

/** One thing that is limited: what its agent runs may use of it, and have used. */
interface Budget {
  of: 'task' | 'project';
  what: 'money' | 'time';
  limit: number;
  used: number;
  /** Of `project set`. */
  option: string;
}

/** What the agents of a task may still use, by itself and with all others of its project. Only what is limited. */
export async function budgetsOf(
  { streams, now }: Pick<TaskDriving, 'streams' | 'now'>,
  { project, phases, created }: Pick<TaskState, 'project' | 'phases' | 'created'>,
  settings: ProjectSettings,
): Promise<Budget[]> {
  const { moneyPerTask = created?.money, moneyPerProject, minutesPerTask, minutesPerProject } = settings;
  const own = async () =>
    (await Promise.all(phases.map(({ run }) => streams().row<AgentRunRow>(run)))).filter(
      (row) => row !== null,
    );
  const all = async () =>
    (await streams().list<AgentRunRow>({ kind: 'agent-run', limit: MOST })).filter(
      (row) => row.project === project,
    );
  const ofTask = moneyPerTask === undefined && minutesPerTask === undefined ? [] : await own();
  const ofProject = moneyPerProject === undefined && minutesPerProject === undefined ? [] : await all();
  const worked = ({ workedMs = 0, workingSince = null }: AgentRunRow) =>
    workedMs + (workingSince === null ? 0 : Math.max(0, now() - workingSince));
  const sum = (rows: readonly AgentRunRow[], each: (row: AgentRunRow) => number) =>
    rows.reduce((before, row) => before + each(row), 0);
  const money = (of: Budget['of'], limit: number | undefined, rows: readonly AgentRunRow[]): Budget[] =>
    limit === undefined
      ? []
      : [{ of, what: 'money', limit, used: sum(rows, (row) => row.costUsd), option: `money-per-${of}` }];
  const time = (of: Budget['of'], minutes: number | undefined, rows: readonly AgentRunRow[]): Budget[] =>
    minutes === undefined
      ? []
      : [{ of, what: 'time', limit: minutes * MINUTE, used: sum(rows, worked), option: `minutes-per-${of}` }];
  return [
    ...money('task', moneyPerTask, ofTask),
    ...money('project', moneyPerProject, ofProject),
    ...time('task', minutesPerTask, ofTask),
    ...time('project', minutesPerProject, ofProject),
  ];
}

/** The least that is left of it; no end where it is not limited. */
export const leftOf = (budgets: readonly Budget[], what: Budget['what']): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...budgets.filter((one) => one.what === what).map(({ limit, used }) => Math.max(0, limit - used)),
  );

/** Why nobody works on it any more, and what raises the limit; null where something is left. */
export function usedUp(budgets: readonly Budget[]): string | null {
  // What may cost nothing has not used that up by costing nothing.
  const over = budgets.find(({ limit, used }) => used > 0 && used >= limit);
  if (over === undefined) return null;
  const words = over.what === 'money' ? dollars : duration;
  return `agents have used ${words(over.used)} of the ${words(over.limit)} that this ${over.of} may use: planwright project set --${over.option} raises it`;
}
