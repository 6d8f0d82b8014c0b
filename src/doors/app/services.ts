import {
  isSameHost,
  type RunRow,
  type RunState,
  type ServiceView,
  shellText,
} from '../../core/contract/index.ts';
import { inspectGroup } from '../../world/process/index.ts';
import { listeningPorts } from '../../world/process/sockets.ts';

/**
 * The services that runs have started and that were not ended since, those that are kept beyond their run too, the newest
 * run first. Whether one lives is looked at now; of one on another host nobody here knows. Exact: hide its secrets by its
 * run before it is shown.
 */
export async function listServices(
  runs: {
    list(query: { workspace?: string }): Promise<RunRow[]>;
    state(id: string): Promise<RunState>;
  },
  host: string,
  query: { workspace?: string },
): Promise<ServiceView[]> {
  const rows = (await runs.list(query)).filter(({ services }) => services.length > 0);
  const found = await Promise.all(rows.map(async (row) => servicesOf(row, await runs.state(row.id), host)));
  return found.flat();
}

const servicesOf = (row: RunRow, state: RunState, host: string): ServiceView[] =>
  state.services
    .filter(({ status }) => status === 'running')
    .map(({ name, stepId, attemptIndex, keep, group }) => {
      const step = state.plan?.steps.find(({ id }) => id === stepId);
      const isHere = isSameHost(group.host, host);
      const alive = isHere ? inspectGroup(group, { run: row.id, service: name }) === 'ours' : null;
      return {
        run: row.id,
        name,
        stepId,
        attemptIndex,
        workspace: row.workspace,
        goal: row.goal,
        command: (step && shellText(step.action)) ?? '',
        keep,
        alive,
        runEnded: state.ended,
        ports: alive === true ? listeningPorts(group.pgid) : [],
        since: state.steps.find(({ id }) => id === stepId)?.startedAt ?? null,
      };
    });
