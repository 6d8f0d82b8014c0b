import { CheckpointError } from '../../../world/workspace/index.ts';
import { checkpointsOf } from '../checkpoints.ts';
import { loadConfig } from '../config.ts';
import type { Env, Places } from '../places.ts';

/** An agent waits for it: what takes longer is given up. */
const PATIENCE_MS = 10_000;

/** The folder as it was kept, or why it could not be: a sentence. */
export type FolderKept = { checkpoint: string } | { why: string };

/** Keeps the folder as it is. */
export async function checkpointFor(
  { places, env }: { places: Places; env: Env },
  workspace: string,
  { paths, last }: { paths: readonly string[]; last: string | null },
): Promise<FolderKept> {
  try {
    const checkpoints = await checkpointsOf(places, loadConfig({ places, env, workspace }).values)(workspace);
    try {
      const { id } = await checkpoints.take('guard', {
        touched: [...paths],
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(last === null ? {} : { orSame: { id: last } }),
      });
      return { checkpoint: id };
    } finally {
      await checkpoints.close();
    }
  } catch (error) {
    if (error instanceof CheckpointError) return { why: error.message };
    throw error;
  }
}
