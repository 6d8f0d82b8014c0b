import { atMost, type Command, commonOptions } from '../command.ts';
import { askAndAttend, stepIdOf } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    step: {
      type: 'string',
      value: 'STEP',
      about: 'Which one (number, id or title); else the one that failed',
    },
    reason: { type: 'string', value: 'TEXT', about: 'Why, for the journal' },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `skip ${command.usage}`);
    const reason = given.text('reason');
    return askAndAttend(context, given, prefix, (state) => ({
      type: 'skip-requested',
      stepId: stepIdOf(state, given.text('step')),
      ...(reason === undefined ? {} : { reason }),
    }));
  },
};
