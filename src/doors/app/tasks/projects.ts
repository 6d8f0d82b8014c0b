import type { RunEvent } from '../../../core/contract/index.ts';
import type {
  AgentMode,
  ProjectEvent,
  ProjectRow,
  ProjectSettings,
  ProjectState,
} from '../../../core/contract/tasks/index.ts';
import type { Store } from '../../../core/stream/index.ts';
import { systemClock } from '../../../world/store/index.ts';
import type { Asker } from '../asker.ts';
import { AppError } from '../errors.ts';
import { newKey, runIdFor } from '../ids.ts';
import type { Env, Places } from '../places.ts';
import type { AppStreams } from '../streams.ts';
import { fitting } from './fitting.ts';
import type { TemplateFound } from './templates.ts';

export interface NewProject {
  /** A real path: the top of a repository. */
  path: string;
  settings: ProjectSettings;
  by: Asker;
}

/** What people do with projects: repositories that tasks are worked on in. */
export interface Projects {
  /** The same folder twice is one project, and has the settings that were given last. */
  add(project: NewProject): Promise<string>;
  list(): Promise<{ row: ProjectRow; settings: ProjectSettings }[]>;
  /** By a name, an id or its beginning; the one of the folder where none is named. Rejects with an AppError. */
  find(named: string | undefined, folder: string): Promise<ProjectRow>;
  state(id: string): Promise<ProjectState>;
  /** What agents of the project are told in each mode, and from where. */
  templates(id: string): Promise<({ mode: AgentMode } & TemplateFound)[]>;
  /** Changes what is named and leaves the rest as it is; `null` takes a setting back. */
  set(
    id: string,
    changes: { [K in keyof ProjectSettings]?: ProjectSettings[K] | null },
    by: Asker,
  ): Promise<void>;
  remove(id: string, by: Asker): Promise<void>;
}

const MOST = 1000;

export function createProjects(
  store: Store<RunEvent>,
  streams: AppStreams<RunEvent>,
  env: Env,
  places: Places,
): Projects {
  const rows = async (): Promise<ProjectRow[]> =>
    (await streams.list<ProjectRow>({ kind: 'project', limit: MOST })).filter(
      ({ endedAt }) => endedAt === null,
    );
  const state = async (id: string) => (await streams.state(id)) as ProjectState;
  const ask = async (id: string, body: { type: string }, by: Asker) => {
    await streams.request(id, body, { by });
    await streams.drive(id);
  };
  const projects: Projects = {
    async add({ path, settings, by }) {
      await streams.admit(by, 'decide', 'project add');
      const { topOf } = await import('../../../world/worktrees/index.ts');
      const top = await topOf(path, { env });
      if (top === null)
        throw new AppError(
          'usage',
          `${path} is no git repository: \`git init\` makes one, and a first commit is needed`,
        );
      if (top !== path)
        throw new AppError('usage', `${path} is a part of the repository at ${top}: add that`);
      const taken = (await rows()).find(
        ({ name, workspace }) => name === settings.name && workspace !== path,
      );
      if (taken !== undefined)
        throw new AppError('usage', `there is a project ${settings.name} already, at ${taken.workspace}`);
      const here = (await rows()).find(({ workspace }) => workspace === path);
      if (here !== undefined) {
        await ask(here.id, { type: 'settings-requested', settings } as { type: string }, by);
        return here.id;
      }
      const { placeOf } = await import('../../../world/workspace/index.ts');
      const id = runIdFor(`project:${path}:${newKey()}`);
      const event: ProjectEvent = {
        v: 1,
        at: systemClock.now(),
        type: 'project-added',
        project: id,
        place: await placeOf(path),
        settings,
      };
      await store.begin(id, {
        kind: 'project',
        id: `begin:${newKey()}`,
        events: [event as unknown as RunEvent],
      });
      return id;
    },
    list: async () =>
      Promise.all((await rows()).map(async (row) => ({ row, settings: (await state(row.id)).settings! }))),
    async find(named, folder) {
      const all = await rows();
      const found =
        named === undefined
          ? all.find(({ workspace }) => folder === workspace || folder.startsWith(`${workspace}/`))
          : (all.find(({ name, id }) => name === named || id === named) ?? onlyOne(all, named));
      if (found !== undefined) return found;
      throw new AppError(
        'no-such-stream',
        named === undefined
          ? 'this folder is in no project: `planwright project add` makes it one'
          : `there is no project ${JSON.stringify(named)}`,
      );
    },
    state,
    async set(id, changes, by) {
      const { settings } = await state(id);
      const merged = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null);
      const { ProjectSettings } = await import('../../../core/contract/tasks/index.ts');
      const read = fitting(ProjectSettings, Object.fromEntries(merged));
      const { problemOf } = await import('./templates.ts');
      for (const [mode, text] of Object.entries(read.templates ?? {})) {
        const problem = problemOf(text);
        if (problem !== null) throw new AppError('usage', `the template for ${mode} ${problem}`);
      }
      await ask(id, { type: 'settings-requested', settings: read } as { type: string }, by);
    },
    async templates(id) {
      const { settings, place } = await state(id);
      const [{ templateFor }, { AgentMode: modes }, { isTrusted }] = await Promise.all([
        import('./templates.ts'),
        import('../../../core/contract/tasks/index.ts'),
        import('../trust.ts'),
      ]);
      const [project, trusted] = [place.workspace, isTrusted(places, place.workspace)];
      return Promise.all(
        modes.options.map(async (mode) => ({
          mode,
          ...(await templateFor({ mode, project, settings, trusted })),
        })),
      );
    },
    remove: (id, by) => ask(id, { type: 'remove-requested' }, by),
  };
  return projects;
}

const onlyOne = (all: readonly ProjectRow[], start: string): ProjectRow | undefined => {
  const found = all.filter(({ id }) => id.startsWith(start));
  return found.length === 1 ? found[0] : undefined;
};
