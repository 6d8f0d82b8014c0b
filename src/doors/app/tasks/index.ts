export { drivableTasks, taskKinds } from './drive.ts';
export { fitting } from './fitting.ts';
export { AGENT_LOG } from './log.ts';
export { createProjects, type Projects } from './projects.ts';
export { type AgentAsk, createTasks, type TaskLook, type Tasks } from './tasks.ts';
