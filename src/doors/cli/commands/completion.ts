import { AppError, exitCodes } from '../../app/index.ts';
import { atMost, type Command, type Entry } from '../command.ts';
import { completionFor, type Described, shells } from '../completion.ts';
import { print } from '../context.ts';

const USAGE = shells.join('|');

/** Completes the commands that it is given: it cannot know them itself, being one of them. */
export const completionCommand = (commands: readonly Entry[]): Command => ({
  usage: USAGE,
  options: {},
  async run(context, given) {
    const [named] = atMost(given, 1, `completion ${USAGE}`);
    const shell = shells.find((candidate) => candidate === named);
    if (shell === undefined) throw new AppError('usage', `usage: planwright completion ${USAGE}`);
    const described: Described[] = await Promise.all(
      commands.map(async ({ name, about, load }) => ({
        name,
        about,
        options: (await load()).command.options,
      })),
    );
    print(context, completionFor(shell, described));
    return exitCodes.done;
  },
});
