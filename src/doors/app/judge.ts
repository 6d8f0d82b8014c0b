import { homedir } from 'node:os';
import { resolveAndJudge, type VerdictPort } from '../../world/actions/index.ts';
import type { Env, Places } from './places.ts';
import { isTrusted } from './trust.ts';

/** Judges every action of every run, whoever wrote it: as written, and as it would be in its place now. */
export function createJudge({ places, env }: { places: Places; env: Env }): VerdictPort {
  const home = env['HOME'] || homedir();
  return (action, { session, workspace, shell }) =>
    resolveAndJudge(
      action,
      { session, baseEnv: env, workspace, home, storeDir: places.data, shell },
      { trusted: isTrusted(places.trust, workspace) },
    );
}
