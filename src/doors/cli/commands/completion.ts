import { AppError, exitCodes } from '../../app/index.ts';
import { atMost, type Command } from '../command.ts';
import { completionFor, type Described, shells } from '../completion.ts';
import { print } from '../context.ts';
import { registry } from '../registry.ts';

export const command: Command = {
  usage: shells.join('|'),
  options: {},
  async run(context, given) {
    const [named] = atMost(given, 1, `completion ${command.usage}`);
    const shell = shells.find((candidate) => candidate === named);
    if (shell === undefined) throw new AppError('usage', `usage: planwright completion ${command.usage}`);
    const described: Described[] = await Promise.all(
      registry.map(async ({ name, about, load }) => ({
        name,
        about,
        options: (await load()).command.options,
      })),
    );
    print(context, completionFor(shell, described));
    return exitCodes.done;
  },
};
