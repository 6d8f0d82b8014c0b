import { Mode } from '../../../core/contract/index.ts';
import { AppError } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { askOfRun } from '../request.ts';

export const command: Command = {
  usage: 'MODE [RUN] [options]',
  options: { workspace: commonOptions.workspace },
  run(context, given) {
    const [named, prefix] = atMost(given, 2, `mode ${command.usage}`);
    const mode = Mode.safeParse(named);
    if (!mode.success) throw new AppError('usage', `a mode is one of ${Mode.options.join(', ')}`);
    return askOfRun(context, given, prefix, { type: 'mode-requested', mode: mode.data }, 'Mode changed');
  },
};
