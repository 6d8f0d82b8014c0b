import { Role, roleOf } from '../../../core/contract/index.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { addToken } from '../../app/passes.ts';
import { atMost, type CommandCode, oneOf } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';
import { moment } from '../render/text/moment.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'list', name] = atMost(given, 2);
    if (verb === 'list')
      return withApp(context, given, async (app) => {
        const passes = await app.passes();
        const held = (await passes.list()).map(({ hash: _, scope, ...pass }) => ({
          ...pass,
          role: roleOf(scope),
        }));
        if (given.flag('json')) printJson(context, held);
        else if (held.length === 0) note(context, 'Nobody has a token, and no page is open.');
        else
          for (const { person, role, kind, madeAt, until } of held)
            print(
              context,
              `${person}  ${role}  ${kind}, since ${moment(madeAt)}${until === null ? '' : `, until ${moment(until)}`}`,
            );
        return exitCodes.done;
      });
    if ((verb !== 'add' && verb !== 'revoke') || name === undefined)
      throw new AppError('usage', `planwright ${given.usage}`);
    await mustDecide(context, `token ${verb}`);
    return withApp(context, given, async (app) => {
      const passes = await app.passes();
      if (verb === 'revoke') {
        if ((await passes.revoke({ person: name })) === 0)
          throw new AppError(
            'usage',
            `${name} has no token and no open page; planwright token list says who has`,
          );
        note(
          context,
          `${name} is let in no more: the token opens nothing, and neither does any page of theirs.`,
        );
        return exitCodes.done;
      }
      const role = oneOf(given, 'role', Role.options);
      if (role === undefined)
        throw new AppError('usage', `say what ${name} may: --role viewer, operator or admin`);
      const token = await addToken(passes, name, role);
      if (given.flag('json')) printJson(context, { person: name, role, token });
      else print(context, token);
      note(
        context,
        `It is shown this once. Programs send it as Authorization: Bearer; the page asks for it.`,
      );
      return exitCodes.done;
    });
  },
};
