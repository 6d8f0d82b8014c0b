import type { Grants } from '../../../core/contract/index.ts';
import { AppError } from '../../app/index.ts';
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
    grant: {
      type: 'string',
      multiple: true,
      value: 'GRANT',
      about: 'Let it do this beyond its sandbox: network, privilege, or write=PATH',
    },
    workspace: commonOptions.workspace,
  },
  run(context, given) {
    const [prefix] = atMost(given, 1, `retry ${command.usage}`);
    const named = given.text('step');
    const grants = readGrants(given.list('grant'));
    return askAndAttend(context, given, prefix, (state) => ({
      type: 'retry-requested',
      stepId: stepIdOf(state, named),
      ...(grants === undefined ? {} : { grants }),
    }));
  },
};

function readGrants(given: string[]): Grants | undefined {
  if (given.length === 0) return undefined;
  const isWrite = (grant: string) => grant.startsWith('write=/');
  const strange = given.find((grant) => grant !== 'network' && grant !== 'privilege' && !isWrite(grant));
  if (strange !== undefined) {
    throw new AppError(
      'usage',
      `--grant takes network, privilege or write=/AN/ABSOLUTE/PATH, not ${strange}`,
    );
  }
  const write = given.filter(isWrite).map((grant) => grant.slice('write='.length));
  return {
    ...(given.includes('network') ? { network: true } : {}),
    ...(given.includes('privilege') ? { privilege: true } : {}),
    ...(write.length > 0 ? { write } : {}),
  };
}
