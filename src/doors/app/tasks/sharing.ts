import { createHash } from 'node:crypto';
import { isSameHost, type Place } from '../../../core/contract/index.ts';
import type { AgentRunState, ProjectState, TaskState } from '../../../core/contract/tasks/index.ts';
import type { Released, TakenProject } from '../../../core/tasks/index.ts';
import { keepParcel, readParcel } from '../parcels.ts';
import type { TaskDriving } from './driving.ts';

const git = () => import('../../../world/worktrees/source/index.ts');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Hands on what an agent run leaves: what is committed by pushing its branch, what is not through the fleet's own store. Nothing,
 * where its project has no git source or there is no fleet. Never throws: what could not be done is a warning.
 */
export async function handOn(
  given: TaskDriving,
  id: string,
  { begun, worktree }: AgentRunState,
): Promise<Released> {
  const { gitSource: url, path: project } = begun?.given.repository ?? {};
  if (
    !given.sources.isFleet ||
    begun === null ||
    worktree === null ||
    url === undefined ||
    project === undefined
  )
    return {};
  const { branch, base } = worktree;
  const about = { project, task: begun.task, branch, base, url };
  const warnings: string[] = [];
  const released: Released = {};
  const { shareBranch, packLeft } = await git();
  const around = given.sources.around();
  try {
    const shared = await shareBranch(about, around);
    if (shared !== null && 'pushed' in shared) released.pushed = shared.pushed;
    else if (shared !== null) warnings.push(shared.warning);
  } catch (error) {
    warnings.push(`its branch was not pushed: ${messageOf(error)}`);
  }
  try {
    const left = await packLeft(about, around);
    if (left !== null) {
      const parcel = createHash('sha256').update(left.bytes).digest('hex');
      await keepParcel(given.output, id, parcel, left.bytes);
      released.left = { parcel, commit: left.commit };
    }
  } catch (error) {
    warnings.push(`what is not committed stays on this machine: ${messageOf(error)}`);
  }
  return warnings.length === 0 ? released : { ...released, warnings };
}

interface WantedOfTask {
  task: string;
  project: string;
  url: string | undefined;
  branch: string | null;
  /** The agent run that was the last to work on it. */
  last: string | undefined;
}

/** The project's folder on this machine: a clone for this task, with all that was handed on. Failures are data. */
async function takeProject(
  given: TaskDriving,
  wanted: WantedOfTask,
  signal: AbortSignal,
): Promise<TakenProject> {
  const { task, url, branch, last } = wanted;
  if (url === undefined) return { ok: false, message: 'its project has no git source' };
  try {
    const streams = given.streams();
    const { settings } = (await streams.state(wanted.project)) as ProjectState;
    const before = last === undefined ? null : ((await streams.state(last)) as AgentRunState).left;
    const left =
      before === null || last === undefined
        ? null
        : { commit: before.commit, bytes: await readParcel(given.output, last, before.parcel) };
    const [{ makeProject }, { placeOf }] = await Promise.all([
      git(),
      import('../../../world/workspace/index.ts'),
    ]);
    const folder = await makeProject(
      { task, url, baseBranch: settings?.baseBranch, branch, left },
      given.sources.around(signal),
    );
    return { ok: true, place: placeOf(folder) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

export const takeTask = (given: TaskDriving, state: TaskState, signal: AbortSignal): Promise<TakenProject> =>
  takeProject(
    given,
    {
      ...{ task: state.task, project: state.project, branch: state.branch },
      url: state.created?.gitSource,
      last: state.phases.at(-1)?.run,
    },
    signal,
  );

export async function takeAgentRun(
  given: TaskDriving,
  { begun }: AgentRunState,
  signal: AbortSignal,
): Promise<TakenProject> {
  if (begun === null) return { ok: false, message: 'it has not begun' };
  const { task, project } = begun;
  const { gitSource: url, branch } = begun.given.repository;
  const { phases } = (await given.streams().state(task)) as TaskState;
  const last = phases.findLast(({ run, outcome }) => run !== begun.run && outcome !== null)?.run;
  return takeProject(given, { task, project, url, branch, last }, signal);
}

/** Whether a task lives in the folder that its project was added with, and not in a clone of it. */
export const isAtHome = (one: Place, project: Place): boolean =>
  isSameHost(one.host, project.host) && one.workspace === project.workspace;
