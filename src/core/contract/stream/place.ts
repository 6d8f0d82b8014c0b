import { z } from 'zod';

/** Where something lives: one machine, as it was started, and a folder on it. */
export const Place = z.strictObject({
  host: z.string(),
  /** Names the time since the machine was last started. */
  boot: z.string(),
  /** A real path. */
  workspace: z.string(),
  /** The linked worktree of git that the workspace lies in, where it does. */
  worktree: z.string().optional(),
});
export type Place = z.infer<typeof Place>;
