import { join } from 'node:path';
import type { Config } from '../../core/contract/index.ts';
import type { CheckpointStore } from '../../world/workspace/index.ts';
import type { Places } from './places.ts';

/** A run of some thousand steps can be undone as a whole. */
const CHECKPOINTS_KEPT = 5_000;

export const checkpointsFolder = ({ data }: Places): string => join(data, 'checkpoints');

/** Opens the checkpoints of a workspace. They live as long as finished runs do, and at least the usual time. */
export const checkpointsOf =
  (places: Places, config: Config, onPoint?: (name: string) => void) =>
  async (workspace: string): Promise<CheckpointStore> => {
    const { openCheckpoints } = await import('../../world/workspace/index.ts');
    return openCheckpoints({
      dir: checkpointsFolder(places),
      workspace,
      ...(onPoint === undefined ? {} : { onPoint }),
      limits: { checkpoints: CHECKPOINTS_KEPT, days: Math.max(30, config['keep.days']) },
    });
  };
