import { chaptersOf } from '../../app/chapters.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { meantRun } from '../meant-run.ts';
import { renderChapters } from '../render/chapters.ts';
import { renderWords } from '../render/words.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1);
      const row = await meantRun(app, context, given, prefix);
      const state = await app.runs.state(row.id);
      const redactor = app.redactorFor(state);
      const chapters = redactor.value(chaptersOf(await app.streams.read(row.id, 0)));
      if (given.flag('json')) printJson(context, { run: row.id, goal: row.goal, chapters });
      else if (chapters.length === 0) print(context, `Nothing had to be mended in run ${row.id}.`);
      else {
        print(context, renderChapters(chapters, lookOf(context, 'stdout')).join('\n'));
        const { signal } = new AbortController();
        const words = await app.explain(row.id, state, { what: 'story', chapters }, signal);
        if (words.ok) print(context, ['', ...renderWords(words, lookOf(context, 'stdout'))].join('\n'));
        else if (words.message !== null) note(context, `No model explains it: ${words.message}`);
      }
      return exitCodes.done;
    }),
};
