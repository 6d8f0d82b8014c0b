import type { CheckpointStore, CheckpointsOptions } from './checkpoint/ports.ts';

/** See `checkpoint/open.ts`, which is loaded when it is wanted: most who come to this room never take a checkpoint. */
export const openCheckpoints = async (options: CheckpointsOptions): Promise<CheckpointStore> =>
  (await import('./checkpoint/open.ts')).openCheckpoints(options);
