import { basename } from 'node:path';
import { defaultPipeline } from '../../../core/contract/tasks/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { findWorkspace } from '../../app/places.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { tildePath } from '../render/look.ts';
import { settingsIn, templatesIn } from '../task/project-settings.ts';
import { withApp } from '../with-app.ts';

const BY = ownerAt('terminal');

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [verb = 'list', named] = atMost(given, 2);
      switch (verb) {
        case 'list':
          await list(app, context, given);
          break;
        case 'add': {
          const path = findWorkspace(context.cwd, named);
          const name = given.text('name') ?? nameFor(path);
          const id = await app.projects.add({
            path,
            settings: { name, ...(await settingsIn(context, given, {})) },
            by: BY,
          });
          if (given.flag('json')) printJson(context, { id, name, path });
          else note(context, `${name} is a project now. planwright task new "TITLE" begins a task.`);
          break;
        }
        case 'set': {
          const { id, name } = await app.projects.find(named, app.workspace);
          const called = given.text('name');
          const changes = {
            ...(await settingsIn(context, given, (await app.projects.state(id)).settings ?? {})),
            ...(called === undefined ? {} : { name: called }),
            ...templatesIn(context, given, (await app.projects.state(id)).settings),
          };
          if (Object.keys(changes).length === 0)
            throw new AppError('usage', `nothing to set; usage: planwright ${given.usage}`);
          await app.projects.set(id, changes, BY);
          if (given.flag('json')) printJson(context, (await app.projects.state(id)).settings);
          else note(context, `Changed ${name}. What has begun keeps what it began with.`);
          break;
        }
        case 'remove': {
          if (named === undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
          const { id, name } = await app.projects.find(named, app.workspace);
          await app.projects.remove(id, BY);
          note(context, `${name} is no project any more. Its folder and its branches are as they were.`);
          break;
        }
        case 'pipeline': {
          const project = await app.projects.find(named, app.workspace).catch((error) => {
            if (named === undefined) return null;
            throw error;
          });
          const settings = project === null ? null : (await app.projects.state(project.id)).settings;
          printJson(context, settings?.pipeline ?? defaultPipeline);
          break;
        }
        case 'templates': {
          const { id } = await app.projects.find(named, app.workspace);
          const all = await app.projects.templates(id);
          if (given.flag('json')) printJson(context, all);
          else
            for (const { mode, from, warning } of all)
              print(context, `${mode.padEnd(16)} ${from}${warning === null ? '' : `: ${warning}`}`);
          break;
        }
        case 'schema': {
          const { pipelineSchema } = await import('../../../core/tasks/index.ts');
          printJson(context, pipelineSchema());
          break;
        }
        default:
          throw new AppError('usage', `usage: planwright ${given.usage}`);
      }
      return exitCodes.done;
    }),
};

const nameFor = (path: string): string =>
  basename(path)
    .replace(/^[^A-Za-z0-9]+/, '')
    .replaceAll(/[^\w.-]/g, '-') || 'project';

async function list(app: App, context: Context, given: Given): Promise<void> {
  const all = await app.projects.list();
  if (given.flag('json')) {
    printJson(
      context,
      all.map(({ row, settings }) => ({ id: row.id, path: row.workspace, ...settings })),
    );
    return;
  }
  if (all.length === 0) note(context, 'There are no projects yet: planwright project add');
  const look = lookOf(context, 'stdout');
  const width = Math.max(0, ...all.map(({ row }) => row.name.length));
  for (const { row, settings } of all) {
    const who = settings.agents?.default ?? 'planwright';
    print(context, `${row.name.padEnd(width)}  ${tildePath(row.workspace, look)}  ${who}`);
  }
}
