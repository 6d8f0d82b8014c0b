import { isPlanning } from '../../../core/contract/index.ts';
import { AppError } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { askAndAttend } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    value: {
      type: 'string',
      value: 'TEXT',
      about: 'The answer; left out for work that was to be done by hand',
    },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `answer ${command.usage}`);
    const value = given.text('value');
    return askAndAttend(context, given, prefix, (state) => {
      if (state.planning?.question != null && isPlanning(state)) {
        return { type: 'answer-given', ...(value === undefined ? {} : { value }) };
      }
      const asked = state.steps.find((step) => step.asked);
      if (asked === undefined)
        throw new AppError('usage', 'nothing in this run waits for an answer; planwright waiting');
      return { type: 'answer-given', stepId: asked.id, ...(value === undefined ? {} : { value }) };
    });
  },
};
