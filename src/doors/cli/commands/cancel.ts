import { atMost, type Command, commonOptions } from '../command.ts';
import { askOfRun } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    reason: { type: 'string', value: 'TEXT', about: 'Why, for the journal' },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `cancel ${command.usage}`);
    const reason = given.text('reason');
    const body = { type: 'cancel-requested', ...(reason === undefined ? {} : { reason }) } as const;
    return askOfRun(context, given, prefix, body, 'Cancelled');
  },
};
