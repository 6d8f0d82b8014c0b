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
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `retry ${command.usage}`);
    const named = given.text('step');
    return askAndAttend(context, given, prefix, (state) => ({
      type: 'retry-requested',
      stepId: stepIdOf(state, named),
    }));
  },
};
