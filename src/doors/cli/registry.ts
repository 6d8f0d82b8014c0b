import type { Command } from './command.ts';
import { shells } from './completion.ts';
import { houseCommands } from './registry/house-commands.ts';
import { mendCommands } from './registry/mend-commands.ts';
import { json } from './registry/options.ts';
import { runCommands } from './registry/run-commands.ts';
import { taskCommands } from './registry/task-commands.ts';

/** Every command as it is declared, in the order of the help. The code of one is loaded when it is called. */
export const registry: readonly Command[] = [
  ...runCommands,
  ...mendCommands,
  ...taskCommands,
  ...houseCommands,
  {
    name: 'completion',
    about: 'Print completions for a shell',
    usage: shells.join('|'),
    options: { json },
    load: async () => ({ command: (await import('./commands/completion.ts')).completing(registry) }),
  },
];
