import { atMost, type Command, commonOptions } from '../command.ts';
import { askAndAttend, openApproval } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    reason: { type: 'string', value: 'TEXT', about: 'Why, for whoever proposed it' },
    abort: { type: 'boolean', about: 'End the whole run' },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `deny ${command.usage}`);
    const reason = given.text('reason');
    return askAndAttend(context, given, prefix, (state) => ({
      type: 'approval-decided',
      approvalId: openApproval(state).id,
      decision: given.flag('abort') ? 'abort' : 'deny',
      ...(reason === undefined ? {} : { reason }),
    }));
  },
};
