import { exitCodes, storyOf } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { print, printJson } from '../context.ts';
import { lookOf } from '../look.ts';
import { renderStory } from '../view/index.ts';
import { withApp } from '../with-app.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: { ...commonOptions },
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1, `why ${command.usage}`);
      const row = await app.runs.find(prefix, app.workspace);
      const redactor = app.redactorFor(await app.runs.state(row.id));
      const chapters = redactor.value(storyOf(await app.store.read(row.id, 0)));
      if (given.flag('json')) printJson(context, { run: row.id, goal: row.goal, chapters });
      else if (chapters.length === 0) print(context, `Nothing had to be mended in run ${row.id}.`);
      else print(context, renderStory(chapters, lookOf(context, 'stdout')).join('\n'));
      return exitCodes.done;
    }),
};
