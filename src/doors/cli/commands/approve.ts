import { AppError } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { askAndAttend, openApproval } from '../request.ts';

export const command: Command = {
  usage: '[RUN] [options]',
  options: {
    id: {
      type: 'string',
      value: 'APPROVAL',
      about: 'Only if this is what it waits for, as shown by waiting',
    },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `approve ${command.usage}`);
    return askAndAttend(context, given, prefix, (state) => {
      const approval = openApproval(state);
      const wanted = given.text('id');
      if (wanted !== undefined && wanted !== approval.id) {
        throw new AppError(
          'usage',
          `it does not wait for ${wanted} any more, but for ${approval.id}: look again`,
        );
      }
      return { type: 'approval-decided', approvalId: approval.id, decision: 'approve' };
    });
  },
};
