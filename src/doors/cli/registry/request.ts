import type { Command } from '../command.ts';
import { ofRun } from './options.ts';

/** The commands that ask one thing of a run are told apart by its name. */
export const request = (
  name: keyof typeof import('../commands/requests.ts'),
  about: string,
  options: Command['options'],
  usage = ofRun,
): Command => ({
  name,
  about,
  usage,
  options,
  load: async () => ({ command: (await import('../commands/requests.ts'))[name] }),
});
