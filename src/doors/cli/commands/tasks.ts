import { sizeText } from '../../../core/contract/told/index.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';
import { listTasks, projectMeant } from './task.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [verb = 'list'] = atMost(given, 1);
      if (verb === 'list') await listTasks(app, context, given);
      else if (verb === 'gc') {
        await app.streams.admit(ownerAt('terminal'), 'decide', 'tasks gc');
        const found = await app.tasks.gc((await projectMeant(app, given)).id);
        if (given.flag('json')) printJson(context, found);
        else {
          const { removed, kept } = found;
          for (const { task, path, bytes } of removed)
            print(context, `${task}  removed, ${sizeText(bytes)}  ${path}`);
          for (const { task, why } of kept) print(context, `${task}  stays: ${why}`);
          if (removed.length + kept.length === 0) note(context, 'No worktrees are left of merged tasks.');
        }
      } else throw new AppError('usage', `usage: planwright ${given.usage}`);
      return exitCodes.done;
    }),
};
