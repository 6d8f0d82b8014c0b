import { AppError, exitCodes } from '../../app/errors.ts';
import { atMost, type Command, type CommandCode } from '../command.ts';
import { completionFor, shells } from '../completion.ts';
import { print, printJson } from '../context.ts';

/** Completes the commands that it is given: it cannot know them itself, being one of them. */
export const completing = (commands: readonly Command[]): CommandCode => ({
  async run(context, given) {
    const [named] = atMost(given, 1);
    const shell = shells.find((candidate) => candidate === named);
    if (shell === undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
    const script = completionFor(shell, commands);
    if (given.flag('json')) printJson(context, { shell, script });
    else print(context, script);
    return exitCodes.done;
  },
});
