import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hostHere } from '../../process/identity.ts';
import { checkpointsAt } from './checkpoints.ts';
import { CheckpointError, toCheckpointError } from './errors.ts';
import { keepIgnoreOracle } from './ignored.ts';
import { openLock } from './lock.ts';
import type { CheckpointStore, CheckpointsOptions } from './ports.ts';
import { ensureRepository, noteWorkspace } from './repository.ts';
import { type CheckpointLimits, savedBytes } from './types.ts';

const defaultLimits: CheckpointLimits = {
  fileBytes: 10_000_000,
  totalBytes: 2_000_000_000,
  savedBytes,
  checkpoints: 1_000,
  days: 30,
};

function realFolder(path: string): string {
  try {
    const real = realpathSync(resolve(path));
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Said below.
  }
  throw new CheckpointError('workspace-missing', `${path} is not a folder. Check the path and try again.`);
}

/** Opens the checkpoints of a workspace; makes them where there are none. Rejects with a CheckpointError. */
export async function openCheckpoints(options: CheckpointsOptions): Promise<CheckpointStore> {
  const workspace = realFolder(options.workspace);
  const key = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  const limits = { ...defaultLimits, ...options.limits };
  const host = options.host ?? hostHere();
  const onPoint = options.onPoint ?? (() => {});
  const trustAfterMs = options.trustAfterMs ?? 2_000;
  const timeout = options.lockTimeoutMs ?? 60_000;
  try {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const own = realpathSync(options.dir);
    const root = join(own, key);
    const gitDir = await ensureRepository(root);
    noteWorkspace(root, workspace);
    const locks = { main: openLock(root, 'lock', timeout), pack: openLock(root, 'pack-lock', timeout) };
    const oracles = keepIgnoreOracle();
    return checkpointsAt({
      root,
      gitDir,
      workspace,
      host,
      limits,
      own,
      onPoint,
      trustAfterMs,
      locks,
      oracles,
    });
  } catch (error) {
    throw toCheckpointError(error, options.dir);
  }
}
