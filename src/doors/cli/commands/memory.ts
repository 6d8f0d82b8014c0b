import { count } from '../../../core/contract/index.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { forgetAll, forgetFix, type KnownFix, listFixes } from '../../app/memory.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async ({ fixes: store, streams, workspace }) => {
      const [verb = 'list', id] = atMost(given, 2);
      if (verb !== 'list') await streams.admit(ownerAt('terminal'), 'decide', `memory ${verb}`);
      if (verb === 'forget' && id !== undefined) {
        const forgotten = await forgetFix(store, workspace, id);
        if (given.flag('json')) printJson(context, { forgotten });
        else note(context, `Forgot ${id}.`);
        return exitCodes.done;
      }
      if (verb === 'clear' && id === undefined) {
        const forgotten = await forgetAll(store, workspace);
        if (given.flag('json')) printJson(context, { forgotten });
        else note(context, `Forgot ${count(forgotten, 'fix', 'fixes')} of this folder and of yours.`);
        return exitCodes.done;
      }
      if (verb !== 'list' || id !== undefined)
        throw new AppError('usage', `usage: planwright ${given.usage}`);
      const fixes = await listFixes(store, workspace);
      if (given.flag('json')) printJson(context, fixes);
      else if (fixes.length === 0) note(context, 'Nothing is remembered for this folder.');
      else print(context, fixes.map(describe).join('\n\n'));
      return exitCodes.done;
    }),
};

function describe({ id, scope, command: failed, message, mends, successes, failures }: KnownFix): string {
  const fared = `helped ${times(successes)}${failures === 0 ? '' : `, then failed ${times(failures)}`}`;
  return [
    `${id}  ${scope}, ${fared}`,
    `  failed  ${failed}`,
    `  said    ${message}`,
    ...mends.map((mend) => `  mended  ${mend}`),
  ].join('\n');
}

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);
