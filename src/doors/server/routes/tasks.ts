import type { TaskState } from '../../../core/contract/tasks/index.ts';
import { typedWorkspace } from '../../app/typed-folder.ts';
import { HttpError } from '../http/errors.ts';
import type { Desk, Handlers } from './handler.ts';

type Names =
  | 'createProject'
  | 'listProjects'
  | 'changeProject'
  | 'removeProject'
  | 'createTask'
  | 'listTasks'
  | 'lookAtTask'
  | 'diffTask';

/** Projects and their tasks. What is asked of a task is a request of its stream. */
export function taskRoutes({ app, env, views }: Desk): Handlers<Names> {
  const known = async (id: string, kind: 'project' | 'task'): Promise<string> => {
    if ((await app.streams.kindOf(id)) === kind) return id;
    throw new HttpError(404, 'no-such-stream', `there is no ${kind} ${JSON.stringify(id)}`);
  };
  return {
    async createProject({ body, asker }) {
      const path = typedWorkspace(app.workspace, body.path, env);
      return { id: await app.projects.add({ path, settings: body.settings, by: asker }) };
    },
    listProjects: async () => ({ projects: await app.projects.list() }),
    async changeProject({ params, body, asker }) {
      await app.projects.set(await known(params['id']!, 'project'), body.settings, asker);
      return {};
    },
    async removeProject({ params, asker }) {
      await app.projects.remove(await known(params['id']!, 'project'), asker);
      return {};
    },
    async createTask({ body: { project, text, key }, asker }) {
      return {
        id: await app.tasks.create({ project: await known(project, 'project'), text, key, by: asker }),
      };
    },
    async listTasks({ query: { project, state, text, limit } }) {
      const tasks = await app.tasks.list({
        limit,
        ...(project === undefined ? {} : { project }),
        ...(state === undefined ? {} : { state: state.split(',') }),
        ...(text === undefined ? {} : { text }),
      });
      return { tasks: await views.rows(tasks) };
    },
    async lookAtTask({ params }) {
      const id = await known(params['id']!, 'task');
      const { seq, redactor } = await views.any(id);
      const { row, state, ways, runs } = await app.tasks.look(id);
      return {
        id,
        seq,
        ...redactor.value({ row, state: state as TaskState, ways: [...ways], runs: [...runs] }),
      };
    },
    async diffTask({ params }) {
      const { redactor } = await views.any(await known(params['id']!, 'task'));
      return redactor.value(await app.tasks.diff(params['id']!));
    },
  };
}
