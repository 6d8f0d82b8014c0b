import { exitCodes, replay } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: { ...commonOptions },
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1, `replay ${command.usage}`);
      const row = await app.runs.find(prefix, app.workspace);
      const events = await app.store.read(row.id, 0);
      const replayed = await replay({ id: row.id, driver: app.driver }, events, new AbortController().signal);
      const { decisions, redone, divergence } = replayed;
      if (given.flag('json')) printJson(context, { run: row.id, events: events.length, ...replayed });
      else if (divergence === null) {
        const again = redone === 0 ? '' : `, and ${redone} answers of models replayed`;
        print(context, `${decisions} decisions taken anew${again}: all as they were.`);
      } else {
        const { seq, recorded, instead } = divergence;
        print(context, `At event ${seq} the run went on with ${recorded}. Now it would be: ${instead}.`);
        print(context, `planwright show ${row.id} --events has the journal.`);
      }
      return divergence === null ? exitCodes.done : exitCodes.failed;
    }),
};
