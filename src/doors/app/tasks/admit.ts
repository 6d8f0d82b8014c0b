import type {
  AgentRunRow,
  AgentRunState,
  ProjectState,
  TaskState,
} from '../../../core/contract/tasks/index.ts';
import type { Admission } from '../../../core/tasks/index.ts';
import { budgetsOf, usedUp } from './budget.ts';
import type { TaskDriving } from './driving.ts';

const LOOK_AGAIN_MS = 1000;
const MOST = 2000;
/** After so long without a driver nobody is at it, and it stands in nobody's way. */
const LEFT_MS = 10_000;
/** Agents at the same time in one project that does not say. */
const IN_PROJECT = 4;

/**
 * Whether it is this run's turn: so many may work at once, here and in all, and those that were begun before it come
 * first. Everybody comes to the same order by themselves, so nobody has to be asked for a place. What is at work counts
 * whenever it was begun: it may have had its turn before this one was to be seen.
 */
export async function admit(
  given: Pick<TaskDriving, 'streams' | 'config' | 'now'>,
  id: string,
  { begun, createdAt }: AgentRunState,
): Promise<Admission> {
  const { streams, config, now } = given;
  const rows = await streams().list<AgentRunRow>({
    kind: 'agent-run',
    state: ['queued', 'preparing', 'running', 'waiting', 'validating'],
    limit: MOST,
  });
  const at = now();
  const isLeft = ({ undrivenSince, wakeAt }: AgentRunRow) => at - (undrivenSince ?? wakeAt ?? at) > LEFT_MS;
  const isFirst = (row: AgentRunRow) =>
    row.createdAt < createdAt || (row.createdAt === createdAt && row.id < id);
  const before = rows.filter(
    (row) => row.id !== id && !isLeft(row) && (row.state !== 'queued' || isFirst(row)),
  );
  const project = begun?.project ?? '';
  const { settings } = (await streams().state(project)) as ProjectState;
  const task = (await streams().state(begun?.task ?? '')) as TaskState;
  const over = settings === null ? null : usedUp(await budgetsOf(given, task, settings));
  if (over !== null) return { ok: false, until: null, why: over };
  const here = before.filter((row) => row.project === project).length;
  const wait = (why: string): Admission => ({ ok: false, until: at + LOOK_AGAIN_MS, why });
  const most = settings?.maxAgents ?? IN_PROJECT;
  if (here >= most)
    return wait(`${here} agents of this project come before it, and ${most} may work at once`);
  const inAll = config['agents.most'];
  if (before.length >= inAll)
    return wait(`${before.length} agents come before it, and ${inAll} may work at once`);
  return { ok: true };
}
