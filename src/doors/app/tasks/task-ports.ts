import {
  type AgentGiven,
  type AgentMode,
  type AgentRunState,
  agentModes,
  initialAgentState,
  type ProjectSettings,
  type ProjectState,
  type TaskRow,
  type TaskState,
} from '../../../core/contract/tasks/index.ts';
import type { Children } from '../../../core/stream/index.ts';
import { BUILT_IN, programOf, type TaskPorts } from '../../../core/tasks/index.ts';
import { budgetsOf, leftOf } from './budget.ts';
import type { TaskDriving } from './driving.ts';
import { worktreesOf } from './git.ts';
import { isAtHome, takeTask } from './sharing.ts';

/** What tasks need of the world. */
export function taskPorts(given: TaskDriving, children: Children): TaskPorts {
  const streams = given.streams();
  const settingsOf = async (project: string): Promise<ProjectSettings> =>
    ((await streams.state(project)) as ProjectState).settings!;
  return {
    children,
    async openDependencies(tasks) {
      const rows = await Promise.all(tasks.map((id) => streams.row<TaskRow>(id)));
      // What nobody knows is in the way: a person may have meant another one, and can take it out.
      return tasks.filter((_, at) => rows[at]?.statusKind !== 'ended');
    },
    async given(state, mode) {
      const settings = await settingsOf(state.project);
      const agent = state.agent ?? settings.agents?.[mode] ?? settings.agents?.default ?? BUILT_IN;
      const program = programOf(agent, settings);
      const common = await givenTo(state, mode, settings);
      return { agent, given: program === undefined ? common : { ...common, program } };
    },
    // One that has been removed ended without saying how.
    agentRun: async (run) =>
      (await streams.kindOf(run)) === null
        ? initialAgentState
        : ((await streams.state(run)) as AgentRunState),
    async merge(state, how, signal) {
      const { place } = (await streams.state(state.project)) as ProjectState;
      if (how === 'pull-request' || isAtHome(state.place, place))
        return worktreesOf(given).merge(state, how, signal);
      const message = `it lives in a clone on ${state.place.host}: merge it by a pull request`;
      return { ok: false, commit: null, code: 'elsewhere', message, conflicts: [] };
    },
    take: (state, signal) => takeTask(given, state, signal),
  };

  async function repositoryOf(
    { place, project, branch, created }: TaskState,
    { baseBranch, remote = null }: ProjectSettings,
  ): Promise<AgentGiven['repository']> {
    const home = ((await streams.state(project)) as ProjectState).place;
    return {
      path: place.workspace,
      remote: isAtHome(place, home) ? remote : 'origin',
      branch,
      ...(baseBranch === undefined ? {} : { baseBranch }),
      ...(created?.gitSource === undefined ? {} : { gitSource: created.gitSource }),
    };
  }

  async function givenTo(state: TaskState, mode: AgentMode, settings: ProjectSettings): Promise<AgentGiven> {
    const { config } = given;
    const { turns, timeMs } = agentModes[mode];
    const perRun = settings.moneyPerRun ?? config['limits.money'];
    const budgets = await budgetsOf(given, state, settings);
    const most = settings.minutesPerRun === undefined ? timeMs : Math.round(settings.minutesPerRun * 60_000);
    const about = state.text.related;
    const related =
      about === undefined ? null : ((await streams.state(about).catch(() => null)) as TaskState | null);
    return {
      repository: await repositoryOf(state, settings),
      limits: {
        turns,
        // What has nothing left is not begun, and says so.
        timeMs: Math.max(1, Math.min(most, leftOf(budgets, 'time'))),
        money: Math.min(perRun, leftOf(budgets, 'money')),
        tokens: config['limits.tokens'],
      },
      setupCommands: settings.setupCommands ?? [],
      validationCommands: settings.validationCommands ?? [],
      maxValidationRetries: settings.maxValidationRetries ?? 3,
      related:
        related === null
          ? null
          : { task: about!, title: related.text.title, description: related.text.description },
      onAsk: given.onAsk,
    };
  }
}
