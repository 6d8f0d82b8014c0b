import { exitCodes } from '../../app/errors.ts';
import { migrateToFleet } from '../../app/migrate.ts';
import { atMost, type CommandCode, oneOf } from '../command.ts';
import { note, printJson } from '../context.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    oneOf(given, 'from', ['sqlite']);
    oneOf(given, 'to', ['postgres']);
    const imported = await migrateToFleet(context.env, () => {});
    const { streams, events, logs, leftLogs } = imported;
    if (given.flag('json')) printJson(context, imported);
    else
      note(
        context,
        `Carried ${streams} streams with ${events} events and ${logs} logs, and compared each event.`,
      );
    if (leftLogs.length > 0) note(context, `Logs that nothing names stayed here: ${leftLogs.join(', ')}`);
    return exitCodes.done;
  },
};
