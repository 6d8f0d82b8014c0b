import type { AgentRunState, TaskState } from '../../../core/contract/tasks/index.ts';
import { keptAgentRuns, keptProjects, keptTasks } from '../../../core/tasks/kept.ts';
import { foldVersion } from '../../../world/store/index.ts';
import type { Drivable } from '../streams.ts';
import type { TaskDriving } from './driving.ts';

/** The kinds that tasks need, as they are kept: what a store is opened with. */
export const taskKinds = [keptProjects, keptTasks, keptAgentRuns] as const;

/** Projects, tasks and agent runs, as this program drives them. */
export const drivableTasks = (given: TaskDriving): Drivable[] => [
  {
    kind: keptProjects,
    foldVersion,
    async open() {
      const { createProjectMachine } = await import('../../../core/tasks/index.ts');
      return { machine: createProjectMachine(given.driver), close: async () => {} };
    },
  },
  {
    kind: keptTasks,
    foldVersion,
    async open(_id, state, children) {
      const [{ createTaskMachine }, { taskPorts }] = await Promise.all([
        import('../../../core/tasks/index.ts'),
        import('./task-ports.ts'),
      ]);
      const machine = createTaskMachine(
        given.driver,
        taskPorts(given, children),
        given.now,
        given.mayTake(state as TaskState),
      );
      return { machine, close: async () => {} };
    },
  },
  {
    kind: keptAgentRuns,
    foldVersion,
    async open(id, state) {
      const [{ createAgentMachine }, { agentPorts }] = await Promise.all([
        import('../../../core/tasks/index.ts'),
        import('./agent-ports.ts'),
      ]);
      const ports = await agentPorts(given, id, state as AgentRunState);
      return {
        machine: createAgentMachine(given.driver, ports, given.mayTake(state as AgentRunState)),
        close: async () => {},
      };
    },
  },
];
