import { AppError } from '../../app/index.ts';
import { type Command, commonOptions } from '../command.ts';
import { askAndAttend, stepIdOf } from '../request.ts';

export const command: Command = {
  usage: '[RUN] TEXT [options]',
  options: {
    step: {
      type: 'string',
      value: 'STEP',
      about: 'Which one (number, id or title); else the one that failed',
    },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [first, second, ...more] = given.positionals;
    if (first === undefined || more.length > 0) {
      throw new AppError('usage', `usage: planwright hint ${command.usage}`);
    }
    const text = second ?? first;
    const named = given.text('step');
    return askAndAttend(context, given, second === undefined ? undefined : first, (state) => ({
      type: 'hint-requested',
      stepId: stepIdOf(state, named),
      text,
    }));
  },
};
