import { AppError } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { askOfRun } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    until: { type: 'string', value: 'TIME', about: 'Go on by itself then, such as 2026-12-24T08:00' },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `pause ${command.usage}`);
    const until = given.text('until');
    const at = until === undefined ? undefined : Date.parse(until);
    if (Number.isNaN(at))
      throw new AppError('usage', `--until takes a time such as 2026-12-24T08:00, not ${until}`);
    const body = { type: 'pause-requested', ...(at === undefined ? {} : { until: at }) } as const;
    return askOfRun(context, given, prefix, body, 'Paused');
  },
};
