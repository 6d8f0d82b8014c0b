import type { Command } from '../command.ts';

/** The commands that ask one thing of a run are told apart by its name. */
export const request =
  (name: keyof typeof import('../commands/requests.ts')): Command['load'] =>
  async () => ({ command: (await import('../commands/requests.ts'))[name] });
